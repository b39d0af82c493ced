import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchedFilesConformance } from '@sluice/ports/testing';
import { createFolderFiles } from './index';

watchedFilesConformance('a folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sluice-folder-files-'));
  const files = createFolderFiles(tmpdir());
  const path = root.slice(tmpdir().length + 1).split('/');
  return {
    // A file system may give two writes within one step of its clock the same time: another file has another place on the disk.
    put: async (name, content) => {
      await writeFile(join(root, `.new-${name}`), content);
      await rename(join(root, `.new-${name}`), join(root, name));
    },
    remove: (name) => rm(join(root, name)),
    open: () => files.open({ kind: 'folder', path }),
    end: () => rm(root, { recursive: true }),
  };
});
