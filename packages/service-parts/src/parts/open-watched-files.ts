import { resolve } from 'node:path';
import { createFolderFiles } from '@sluice/files-folder';
import { createS3Files } from '@sluice/files-s3';
import { type WatchedFilesOpener, WatchedFilesUnreadable } from '@sluice/ports';

export interface WatchedFilesSettings {
  /** `SLUICE_FILE_ROOT`; null: no folder is watched. */
  fileRoot: string | null;
  /** The bucket of the installation itself, which is never watched; null: it has none. */
  s3Bucket: string | null;
  allowPrivateTargets: boolean;
  deniedTargets: readonly string[] | null;
}

/** The places that file sources may watch, as the settings allow it. */
export function openWatchedFiles({ fileRoot, s3Bucket, ...addresses }: WatchedFilesSettings): WatchedFilesOpener {
  const folders = fileRoot === null ? null : createFolderFiles(resolve(fileRoot));
  const { allowPrivateTargets, deniedTargets } = addresses;
  const buckets = createS3Files({ allowPrivateTargets, deniedTargets: deniedTargets ?? [] });
  return {
    open: async (place) => {
      if (place.kind === 'folder') {
        if (folders === null) throw new WatchedFilesUnreadable('this installation watches no folders');
        return folders.open(place);
      }
      if (place.bucket === s3Bucket) throw new WatchedFilesUnreadable(`the bucket '${place.bucket}' may not be watched`);
      return buckets.open(place);
    },
  };
}
