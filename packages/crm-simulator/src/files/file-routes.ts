import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { intParam, jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall } from '../http/route';
import { pathPatterns, signedAddress } from './file-links';
import { fileRoute } from './file-route';
import type { StoredFile } from '../stores/file-store';
import { showTask } from './file-tasks';
import { importFromUrl } from './import-file';
import { kindOf, presentFile, presentFolder } from './present-file';
import { durationMs, folderNamed, readAccess, readReplacement, readUpload } from './read-upload';
import { searchStored } from './search-stored';
import { storeUpload } from './store-upload';

const fileOf = ({ portal, params }: PortalCall): StoredFile => portal.files.file(params['id']!) ?? refuse(notFound());

async function upload(call: PortalCall): Promise<Answer> {
  return answer(201, presentFile(call, storeUpload(call.portal.files, await readUpload(call))));
}

/** Access and end of life, as the body of a change or the options of a replacement say them. */
function properties(call: PortalCall, file: StoredFile, body: JsonObject): Pick<StoredFile, 'access' | 'expiresAt'> {
  const access = body['access'] === undefined ? file.access : readAccess(body['access']);
  if (body['clearExpires'] === true) return { access, expiresAt: undefined };
  if (body['ttl'] !== undefined) return { access, expiresAt: call.portal.now() + durationMs(String(body['ttl'])) };
  if (body['expiresAt'] === undefined) return { access, expiresAt: file.expiresAt };
  const at = typeof body['expiresAt'] === 'number' ? body['expiresAt'] : Date.parse(String(body['expiresAt']));
  return { access, expiresAt: Number.isNaN(at) ? refuse(invalid('expiresAt must be a time')) : at };
}

function change(call: PortalCall): Answer {
  const file = fileOf(call);
  const body = jsonBody(call.rawBody);
  const { name = file.name, parentFolderId: id, parentFolderPath: path } = body;
  const moved = id === undefined && path === undefined ? undefined : folderNamed(call, textOf(id), textOf(path));
  const changes = { name: String(name), folderId: moved?.id ?? file.folderId, ...properties(call, file, body) };
  return answer(200, presentFile(call, call.portal.files.change(file, changes)));
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

/** New bytes under the same id, name and address. */
async function replace(call: PortalCall): Promise<Answer> {
  const { bytes, options } = await readReplacement(call);
  const file = fileOf(call);
  return answer(200, presentFile(call, call.portal.files.change(file, { bytes, ...properties(call, file, options) })));
}

function remove(call: PortalCall): Answer {
  call.portal.files.files.delete(fileOf(call).id);
  return noContent;
}

/** What lies at a path: a file or a folder. The client writes the slashes encoded, as one segment. */
function stat(call: PortalCall): Answer {
  const path = `/${Object.values(call.params).join('/').replace(/^\//, '')}`;
  const { files } = call.portal;
  const file = files.at(path);
  if (file) return answer(200, { file: presentFile(call, file) });
  return answer(200, { folder: presentFolder(call, files.folders.get(path) ?? refuse(notFound())) });
}

function signedUrl(call: PortalCall): Answer {
  const file = fileOf(call);
  const seconds = intParam(call.query, 'expirationSeconds', 3_600, 1, 2_592_000);
  const { name, extension } = file;
  const expires = Math.floor(call.portal.now() / 1_000 + seconds) * 1_000;
  return answer(200, {
    url: signedAddress(call, file, expires), expiresAt: new Date(expires).toISOString(), name, extension, type: kindOf(extension),
    size: file.bytes.length,
  });
}

const searched = (call: PortalCall): Answer =>
  searchStored(call, call.portal.files.live().map((file) => presentFile(call, file)));

/** Files (docs/reference/crm-api.md, Files and forms). Their bytes are read at their addresses: `downloadRoutes`. */
export const fileRoutes = [
  fileRoute('POST', '/files', upload),
  fileRoute('GET', '/files/search', searched),
  fileRoute('POST', '/files/import-from-url/async', importFromUrl),
  fileRoute('GET', '/files/import-from-url/async/tasks/:task/status', showTask),
  ...pathPatterns.map((pattern) => fileRoute('GET', `/files/stat${pattern}`, stat)),
  fileRoute('GET', '/files/:id', (call) => answer(200, presentFile(call, fileOf(call)))),
  fileRoute('PATCH', '/files/:id', change),
  fileRoute('PUT', '/files/:id', replace),
  fileRoute('DELETE', '/files/:id', remove),
  fileRoute('DELETE', '/files/:id/gdpr-delete', remove),
  fileRoute('GET', '/files/:id/signed-url', signedUrl),
];
