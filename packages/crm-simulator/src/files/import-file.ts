import { answer, type Answer } from '../http/answer';
import { invalid, refuse } from '../http/refusal';
import { jsonBody } from '../http/request-body';
import type { PortalCall } from '../http/route';
import { startTask, taskLocator } from './file-tasks';
import { type FileTask } from '../stores/file-task';
import { presentFile } from './present-file';
import { folderNamed, readOptions, type Upload } from './read-upload';
import { storeUpload } from './store-upload';

/** The simulator reads the address itself: what it reads is bounded. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 30_000;

type Plan = Omit<Upload, 'bytes'>;

/** `POST /files/import-from-url/async`: the file is there when the task says `COMPLETE`. */
export function importFromUrl(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['url', 'access']);
  const given = String(body['url']);
  if (!URL.canParse(given) || !/^https?:/i.test(given)) return refuse(invalid('url must be an address with http or https'));
  const address = new URL(given);
  const text = (name: string): string | undefined => (body[name] === undefined ? undefined : String(body[name]));
  const plan: Plan = {
    fileName: text('name') ?? (decodeURIComponent(address.pathname.split('/').at(-1)!) || 'file'),
    folder: folderNamed(call, text('folderId'), text('folderPath')), ...readOptions(body),
  };
  const task = startTask(call.portal.files);
  void run(call, task, address, plan);
  return answer(202, taskLocator(call, task));
}

async function run(call: PortalCall, task: FileTask, address: URL, plan: Plan): Promise<void> {
  try {
    const bytes = await read(address);
    const file = storeUpload(call.portal.files, { ...plan, bytes });
    task.result = () => presentFile(call, file);
  } catch (error) {
    task.problem = error instanceof Error ? error.message : String(error);
  }
  task.completedAt = call.portal.now();
}

async function read(address: URL): Promise<Buffer> {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`The address answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw new Error('The file is too large');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}
