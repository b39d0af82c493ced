import { refuse } from '../http/refusal';
import type { FileStore, StoredFile } from '../stores/file-store';
import type { Upload } from './read-upload';

/** `name` and extension; a name that only has an extension is a name. */
function splitName(fileName: string): { name: string; extension: string } {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? { name: fileName, extension: '' } : { name: fileName.slice(0, dot), extension: fileName.slice(dot + 1) };
}

/** Stores what an upload or an import brought; a file of the same content is refused or returned where that was asked. */
export function storeUpload(files: FileStore, upload: Upload): StoredFile {
  const { fileName, bytes, folder, access, overwrite, duplicates, scope, ttlMs } = upload;
  const same = duplicates === 'NONE' ? undefined : files.duplicate(bytes, scope === 'EXACT_FOLDER' ? folder : undefined);
  if (same && duplicates === 'RETURN_EXISTING') return same;
  if (same) refuse({ status: 409, category: 'CONFLICT', message: `A file of this content exists already: ${same.id}` });
  const life = ttlMs === undefined ? {} : { expiresAt: files.now() + ttlMs };
  return files.put({ ...splitName(fileName), folder, access, bytes, ...life }, { overwrite });
}
