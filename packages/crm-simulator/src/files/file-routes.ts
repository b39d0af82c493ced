import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { intParam, jsonBody } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { StoredFile } from './file-store';
import { readUpload } from './read-upload';

const kinds: Record<string, string> = {
  png: 'IMG', jpg: 'IMG', jpeg: 'IMG', gif: 'IMG', svg: 'IMG', webp: 'IMG',
  pdf: 'DOCUMENT', doc: 'DOCUMENT', docx: 'DOCUMENT', xls: 'DOCUMENT', xlsx: 'DOCUMENT', txt: 'DOCUMENT', csv: 'DOCUMENT',
  mp3: 'AUDIO', wav: 'AUDIO', mp4: 'MOVIE', mov: 'MOVIE',
};

const iso = (ms: number): string => new Date(ms).toISOString();

function present({ portal, baseUrl }: PortalCall, file: StoredFile): object {
  const path = portal.files.pathOf(file);
  const url = `${baseUrl}/hubfs/${portal.portalId}${path.split('/').map(encodeURIComponent).join('/')}`;
  return {
    id: file.id, createdAt: iso(file.createdAt), updatedAt: iso(file.updatedAt), archived: false,
    parentFolderId: file.folderId, name: file.name, path, size: file.bytes.length, type: kinds[file.extension] ?? 'OTHER',
    extension: file.extension, defaultHostingUrl: url, url, isUsableInContent: file.access.startsWith('PUBLIC'),
    access: file.access, fileMd5: file.md5, ...(file.expiresAt === undefined ? {} : { expiresAt: file.expiresAt }),
  };
}

const fileOf = ({ portal, params }: PortalCall): StoredFile => portal.files.files.get(params['id']!) ?? refuse(notFound());

/** `name` and extension; a name that only has an extension is a name. */
function splitName(fileName: string): { name: string; extension: string } {
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? { name: fileName, extension: '' } : { name: fileName.slice(0, dot), extension: fileName.slice(dot + 1) };
}

async function upload(call: PortalCall): Promise<Answer> {
  const { fileName, bytes, folder, access, overwrite, duplicates, scope, ttlMs } = await readUpload(call);
  const { files, now } = call.portal;
  const same = duplicates === 'NONE' ? undefined : files.duplicate(bytes, scope === 'EXACT_FOLDER' ? folder : undefined);
  if (same && duplicates === 'RETURN_EXISTING') return answer(201, present(call, same));
  if (same) refuse({ status: 409, category: 'CONFLICT', message: `A file of this content exists already: ${same.id}` });
  const at = now();
  const life = ttlMs === undefined ? {} : { expiresAt: at + ttlMs };
  const file = files.put({ ...splitName(fileName), folder, access, bytes, ...life }, { overwrite, at });
  return answer(201, present(call, file));
}

function change(call: PortalCall): Answer {
  const file = fileOf(call);
  const { name = file.name, access = file.access, parentFolderId = file.folderId } = jsonBody(call.rawBody);
  if (!call.portal.files.folderById(String(parentFolderId))) refuse(invalid(`Folder ${String(parentFolderId)} does not exist`));
  const changed = {
    ...file, name: String(name), access: String(access), folderId: String(parentFolderId), updatedAt: call.portal.now(),
  };
  call.portal.files.files.set(file.id, changed);
  return answer(200, present(call, changed));
}

function remove(call: PortalCall): Answer {
  call.portal.files.files.delete(fileOf(call).id);
  return noContent;
}

function stat(call: PortalCall): Answer {
  const path = `/${call.path.split('/stat/', 2)[1]!.split('/').map(decodeURIComponent).join('/')}`;
  const file = call.portal.files.at(path) ?? refuse(notFound());
  return answer(200, { file: present(call, file) });
}

function signedUrl(call: PortalCall): Answer {
  const file = fileOf(call);
  const seconds = intParam(call.query, 'expirationSeconds', 3_600, 1, 2_592_000);
  const { name, extension } = file;
  const expires = call.portal.now() + seconds * 1_000;
  return answer(200, {
    url: `${call.baseUrl}/hubfs/${call.portal.portalId}/${file.id}?Expires=${Math.floor(expires / 1_000)}&Signature=${file.md5}`,
    expiresAt: iso(expires), name, extension, type: kinds[extension] ?? 'OTHER', size: file.bytes.length,
  });
}

function createFolder(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['name']);
  const { files, now } = call.portal;
  const above = body['parentFolderId'] === undefined ? undefined : files.folderById(String(body['parentFolderId']));
  if (body['parentFolderId'] !== undefined && !above) refuse(invalid(`Folder ${String(body['parentFolderId'])} does not exist`));
  const path = `${above?.path ?? String(body['parentPath'] ?? '')}/${String(body['name'])}`;
  const folder = files.folder(path);
  const at = iso(now());
  return answer(201, {
    id: folder.id, name: String(body['name']), path: folder.path, parentFolderId: above?.id ?? '0', createdAt: at, updatedAt: at,
    archived: false,
  });
}

const scopes = (): string[][] => [['files']];
const route = (method: string, path: string, handle: PortalRoute['handle']): PortalRoute =>
  ({ method, path: `/files${path}`, auth: 'portal', budget: 'burst', scopes, handle });

/** How many folders deep a file can be asked for by its path. */
const depths = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Files and folders (docs/reference/crm-api.md, Files and forms). Contents are kept and shown by their MD5; they cannot be
 * downloaded.
 */
export const fileRoutes: readonly PortalRoute[] = [
  route('POST', '/files', upload),
  ...depths.map((depth) => route('GET', `/files/stat${'/:part'.repeat(depth)}`, stat)),
  route('GET', '/files/:id', (call) => answer(200, present(call, fileOf(call)))),
  route('PATCH', '/files/:id', change),
  route('DELETE', '/files/:id', remove),
  route('DELETE', '/files/:id/gdpr-delete', remove),
  route('GET', '/files/:id/signed-url', signedUrl),
  route('POST', '/folders', createFolder),
];
