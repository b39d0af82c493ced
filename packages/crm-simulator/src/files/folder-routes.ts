import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall } from '../http/route';
import { fileRoute } from './file-route';
import { pathPatterns } from './file-links';
import type { StoredFolder } from '../stores/file-store';
import { finishedTask, showTask, taskLocator } from './file-tasks';
import { presentFolder } from './present-file';
import { searchStored } from './search-stored';

/** By id, or by path: the client writes a path's slashes encoded, as one segment. */
function folderOf({ portal, params }: PortalCall): StoredFolder {
  const named = Object.values(params).join('/');
  return portal.files.folderById(named) ?? portal.files.folders.get(`/${named.replace(/^\//, '')}`) ?? refuse(notFound());
}

function folderById({ portal }: PortalCall, id: unknown): StoredFolder {
  return portal.files.folderById(String(id)) ?? refuse(invalid(`Folder ${String(id)} does not exist`));
}

function create(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['name']);
  const above = body['parentFolderId'] === undefined ? undefined : folderById(call, body['parentFolderId']);
  const folder = call.portal.files.folder(`${above?.path ?? String(body['parentPath'] ?? '')}/${String(body['name'])}`);
  return answer(201, presentFolder(call, folder));
}

/** Renames or moves a folder with all that is in it. */
function change(call: PortalCall, folder: StoredFolder, body: JsonObject): StoredFolder {
  const slash = folder.path.lastIndexOf('/');
  const parent = body['parentFolderId'];
  const above = parent === undefined ? folder.path.slice(0, slash) : folderById(call, parent).path;
  const path = `${above}/${String(body['name'] ?? folder.path.slice(slash + 1))}`;
  if (path.startsWith(`${folder.path}/`)) refuse(invalid('A folder cannot be moved into itself'));
  if (path !== folder.path && call.portal.files.folders.has(path))
    refuse({ status: 409, category: 'CONFLICT', message: `A folder exists already at ${path}` });
  return call.portal.files.moveFolder(folder, path);
}

/** The change is made at once; the task that tells about it has ended when it is first asked for. */
function changeLater(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['id']);
  const folder = change(call, folderById(call, body['id']), body);
  return answer(202, taskLocator(call, finishedTask(call.portal.files, () => presentFolder(call, folder))));
}

function remove(call: PortalCall): Answer {
  call.portal.files.removeFolder(folderOf(call));
  return noContent;
}

const searched = (call: PortalCall): Answer =>
  searchStored(call, [...call.portal.files.folders.values()].map((folder) => presentFolder(call, folder)));

/** Folders of files (docs/reference/crm-api.md, Files and forms). */
export const folderRoutes = [
  fileRoute('POST', '/folders', create),
  fileRoute('GET', '/folders/search', searched),
  fileRoute('POST', '/folders/update/async', changeLater),
  fileRoute('GET', '/folders/update/async/tasks/:task/status', showTask),
  fileRoute('PATCH', '/folders/:id', (call) =>
    answer(200, presentFolder(call, change(call, folderOf(call), jsonBody(call.rawBody))))),
  ...pathPatterns.flatMap((pattern) => [
    fileRoute('GET', `/folders${pattern}`, (call) => answer(200, presentFolder(call, folderOf(call)))),
    fileRoute('DELETE', `/folders${pattern}`, remove),
  ]),
];
