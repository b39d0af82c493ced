import type { WatchedFilesOpener, WatchedPlace } from '@sluice/ports';
import { WatchedFolder } from './watched-folder';

/** Folders below a root (`SLUICE_FILE_ROOT`, absolute). */
export function createFolderFiles(root: string): WatchedFilesOpener<WatchedPlace & { kind: 'folder' }> {
  return { open: ({ path }) => WatchedFolder.open(root, path) };
}
