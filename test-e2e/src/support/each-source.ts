import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bearer } from '@sluice/api-client';
import type { StandaloneFile } from '@sluice/standalone';
import { eventually, type TestDestination } from '@sluice/testkit';
import { call } from './cluster';

/** A source as the list of sources shows it. */
interface SourceView {
  name: string;
  cursor: unknown;
  last_error: string | null;
}

export interface EachSource {
  /** What an unsigned call of the webhook was answered. */
  unsigned: number;
  /** What became of the uploaded file. */
  fileOf(): Promise<object>;
  sourcesOf(): Promise<SourceView[]>;
}

const page = join(__dirname, '..', '..', '..', 'docs', 'reference', 'sources.md');
const person = (name: string) => ({ email: `${name}@one-of-each.example`, name });

/**
 * Publishes the config of docs/reference/sources.md that has a source of each type, and brings one record from outside to each:
 * an event, a signed call, an upload, a change of the CRM, a poll of `erp` and a tick. Throws when one is not accepted.
 */
export async function useEachSource(file: StandaloneFile, erp: TestDestination): Promise<EachSource> {
  const [, text] = /## One of each[^]*?```json\n([^]*?)```/.exec(readFileSync(page, 'utf8'))!;
  erp.answerBy(() => ({ status: 200, body: { data: [person('erp')], last: '7' } }));
  const auth = bearer(file.organization_api_key);
  const asked = { name: 'one of each', create_api_key: true, credential_id: file.crm_credential_id };
  const connector = await call(file.base_url, 'POST', '/api/connectors', asked, auth);
  const at = `/api/connectors/${connector.id}`;
  await call(file.base_url, 'PUT', `${at}/draft`, JSON.parse(text!.replace('https://erp.example.com', erp.url)), auth);
  const { created_sources: created } = await call(file.base_url, 'POST', `${at}/publish`, {}, auth);

  const event = { event: 'customer.saved', recordKey: 'api', data: person('api') };
  const key = { 'x-api-key': connector.api_key.raw_key };
  // Until the acceptors know the version, they say that nothing is subscribed to the event.
  await eventually(async () => (await call(file.base_url, 'POST', '/api/v1/events', event, key)).hint === null,
    { timeoutMs: 60_000, everyMs: 100 });
  const unsigned = await callWebhook(created.find(({ name }: { name: string }) => name === 'shop'));
  const form = new FormData();
  form.set('file', new Blob(['email,name\nlist@one-of-each.example,List\nno cell\n']), 'customers.csv');
  const uploaded = await fetch(`${file.base_url}${at}/sources/list/files`, { method: 'POST', headers: auth, body: form });
  if (uploaded.status !== 202) throw new Error(`the upload was answered ${uploaded.status}`);
  const { file_id: fileId } = (await uploaded.json()) as { file_id: string };
  for (const source of ['erp', 'nightly']) await call(file.base_url, 'POST', `${at}/sources/${source}/poll`, undefined, auth);
  const properties = { domain: 'one-of-each.example', name: 'One' };
  const company = { portal_id: 1_000_001, object_type: 'companies', action: 'create', properties };
  await call(file.crm_simulator_url!, 'POST', '/_sim/edits', company);
  return {
    unsigned,
    fileOf: () => call(file.base_url, 'GET', `${at}/sources/list/files/${fileId}`, undefined, auth),
    sourcesOf: async () => (await call(file.base_url, 'GET', `${at}/sources`, undefined, auth)).items,
  };
}

/** Calls it with a signature, which must be accepted. @returns the status of a call without one */
async function callWebhook({ secret, url }: { secret: string; url: string }): Promise<number> {
  const body = JSON.stringify(person('shop'));
  const headers = { 'content-type': 'application/json', 'x-topic': 'customer.saved' };
  const post = async (more: object): Promise<number> =>
    (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })).status;
  const unsigned = await post({});
  const signed = await post({ 'x-signature': createHmac('sha256', secret).update(body).digest('hex') });
  if (signed !== 202) throw new Error(`the signed call was answered ${signed}`);
  return unsigned;
}
