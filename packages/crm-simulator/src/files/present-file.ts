import type { PortalCall } from '../http/route';
import type { StoredFile, StoredFolder } from '../stores/file-store';

const kinds: Record<string, string> = {
  png: 'IMG', jpg: 'IMG', jpeg: 'IMG', gif: 'IMG', svg: 'IMG', webp: 'IMG',
  pdf: 'DOCUMENT', doc: 'DOCUMENT', docx: 'DOCUMENT', xls: 'DOCUMENT', xlsx: 'DOCUMENT', txt: 'DOCUMENT', csv: 'DOCUMENT',
  mp3: 'AUDIO', wav: 'AUDIO', mp4: 'MOVIE', mov: 'MOVIE',
};

/** What the CRM calls the kind of a file, by its extension. */
export const kindOf = (extension: string): string => kinds[extension.toLowerCase()] ?? 'OTHER';

/** Everybody may read a public or hidden file at its address; a private or sensitive one needs a signature. */
export const needsSignature = (access: string): boolean => /PRIVATE|SENSITIVE/.test(access);

const iso = (ms: number): string => new Date(ms).toISOString();

/** The address of a file's bytes. */
export function addressOf({ portal, baseUrl }: PortalCall, file: StoredFile): string {
  return `${baseUrl}/hubfs/${portal.portalId}${portal.files.pathOf(file).split('/').map(encodeURIComponent).join('/')}`;
}

/** A file as the API shows it. */
export function presentFile(call: PortalCall, file: StoredFile): Record<string, unknown> {
  const url = addressOf(call, file);
  return {
    id: file.id, createdAt: iso(file.createdAt), updatedAt: iso(file.updatedAt), archived: false,
    parentFolderId: file.folderId, name: file.name, path: call.portal.files.pathOf(file), size: file.bytes.length,
    type: kindOf(file.extension), extension: file.extension, defaultHostingUrl: url, url,
    isUsableInContent: file.access.startsWith('PUBLIC'), access: file.access, fileMd5: file.md5,
    ...(file.expiresAt === undefined ? {} : { expiresAt: file.expiresAt }),
  };
}

/** A folder as the API shows it. One at the top has no folder above it. */
export function presentFolder({ portal }: PortalCall, folder: StoredFolder): Record<string, unknown> {
  const above = portal.files.folders.get(folder.path.slice(0, folder.path.lastIndexOf('/')))?.id;
  return {
    id: folder.id, name: folder.path.slice(folder.path.lastIndexOf('/') + 1), path: folder.path,
    ...(above === undefined ? {} : { parentFolderId: above }),
    createdAt: iso(folder.createdAt), updatedAt: iso(folder.updatedAt), archived: false,
  };
}
