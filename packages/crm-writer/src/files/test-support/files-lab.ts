import { type createMemoryKeyValue } from '@sluice/kv-memory';
import type { BlobStore, CrmFiles, FileUploadRequest, RecordTarget } from '@sluice/ports';
import { startTestPortal, testContext, type TestPortal } from '../../test-support';

export let portal: TestPortal;
/** One portal for all tests of a file, empty before each. */
export function shareFilesLab(): void {
  beforeAll(async () => {
    portal = await startTestPortal();
  });
  beforeEach(() => portal.reset());
  afterAll(() => portal.close());
}

/** The files for one event, over a new writer: nothing of an earlier attempt is in memory. */
export function filesOf(
  offset = 1n,
  options: { kv?: ReturnType<typeof createMemoryKeyValue>; blobs?: BlobStore; content?(): string; maxBytes?: number } = {},
) {
  const unanswered: number[] = [];
  const downloaded: string[] = [];
  const read = async (address: string) => {
    downloaded.push(address);
    return { ok: true as const, value: Buffer.from(content()) };
  };
  const { content = () => 'from the shop', ...parts } = options;
  const { writer, active } = portal.writer({ files: { ...parts, downloads: { read } } });
  const unit = testContext(offset, { binding: portal.binding, unanswered: (ago) => void unanswered.push(ago) });
  const files = writer.filesFor(unit);
  return {
    unit,
    unanswered,
    downloaded,
    upload: (request: FileUploadRequest) => active(() => files.upload(request)),
    deleteAttachments: (request: Parameters<CrmFiles['deleteAttachments']>[0]) => active(() => files.deleteAttachments(request)),
    submitForm: (request: Parameters<CrmFiles['submitForm']>[0]) => active(() => files.submitForm(request)),
  };
}

export const sim = async (method: string, path: string, body?: object): Promise<any> =>
  (await fetch(`${portal.url}/_sim/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })).json();
export const contact = async (email: string): Promise<string> => {
  const inputs = [{ traceId: 't', properties: { email } }];
  const made = await portal.client.batchCreate(portal.access, 'contacts', inputs, { timeoutMs: 5_000 });
  if (!made.ok) throw new Error(made.message);
  return made.value.results[0]!.id;
};
export const target = (email: string): RecordTarget => ({
  entity: 'contact',
  objectType: 'contact',
  externalId: email,
  identityProperty: 'email',
  identityValue: email,
});
export const text = (words: string) => ({ base64: Buffer.from(words).toString('base64') });
export const invoice = (words: string, email: string | null = null, filename = 'invoice.pdf'): FileUploadRequest => ({
  stepId: 'upload',
  source: text(words),
  filename,
  folderPath: '/invoices',
  access: 'PRIVATE',
  attachTo: email === null ? null : { record: target(email), note: 'Invoice' },
});
export const files = () => [...portal.state().files.files.values()];
export const notes = async (): Promise<any[]> =>
  (await sim('GET', `records?portal_id=${portal.access.portalId}&object_type=notes`)).items.filter(
    ({ archived }: any) => !archived,
  );
export const valueOf = async <T,>(work: Promise<{ ok: true; value: T } | { ok: false; message: string }>): Promise<T> => {
  const answer = await work;
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};
