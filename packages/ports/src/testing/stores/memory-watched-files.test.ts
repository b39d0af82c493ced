import { MemoryWatchedFiles } from './memory-watched-files';
import { watchedFilesConformance } from './watched-files-conformance';

watchedFilesConformance('the watched files in memory', () => {
  const files = new MemoryWatchedFiles();
  return Promise.resolve({
    put: async (name, content) => files.put(name, content), remove: async (name) => files.remove(name),
    open: () => Promise.resolve(files), end: () => Promise.resolve(),
  });
});
