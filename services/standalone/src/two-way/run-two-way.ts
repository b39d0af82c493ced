import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, bearer, createApiClient } from '@sluice/api-client';
import { sendEvents } from '../demo/send-events';
import { readPrivateJson, writePrivateJson } from '../folder/private-json';
import type { StandaloneFile } from '../standalone-file';
import type { Story } from '../story/create-story';
import { editRounds, firstEdits, type SideEdit } from './both-sides';
import { CrmSide } from './crm-side';
import { type Customer, type CustomerChange, DemoShop } from './demo-shop';
import { tellHowToEdit, tellTwoWay } from './tell-two-way';
import { twoWayConfig } from './two-way-config';
import { type EndState, untilEqual } from './until-equal';

export interface TwoWayOptions {
  story: Story;
  standalone: StandaloneFile;
  /** The file with the shop: its customers, its port, its connector, and whether the demo is done. */
  file: string;
  /** Ends the demo and closes the shop. */
  signal: AbortSignal;
}

/** What the shop keeps over restarts. */
interface ShopNote {
  /** Of the demo: another one (a new DATABASE_URL) gets a shop of its own. */
  demo_connector_id: string;
  customers: Customer[];
  port?: number;
  connector_id?: string;
  connector_api_key?: string;
  finished_at?: string;
}

const names = { connector: 'Two-way shop', credential: 'Two-way CRM', key: 'two-way shop' } as const;
/** The edits, and the wait until both sides are equal. */
const [editsMs, equalMs] = [120_000, 120_000];

/**
 * Opens a shop whose customers Sluice keeps equal to contacts of the CRM, has people edit both at once, waits until both are
 * equal, and tells what they hold. When that was done before, only the shop is opened. The shop stays until `signal`.
 */
export async function runTwoWay(options: TwoWayOptions): Promise<void> {
  const { signal, standalone: { connector_id: demoConnectorId, crm_simulator_url: crmUrl }, story } = options;
  const note = openNote(options.file, demoConnectorId);
  const shop = new DemoShop({
    customers: note.value.customers, keep: (customers) => note.write({ customers }),
    tell: (change) => tellSluice(options, note.value, change),
  });
  const port = await shop.start(note.value.port ?? 0);
  signal.addEventListener('abort', () => void shop.stop(), { once: true });
  if (signal.aborted) await shop.stop();
  signal.throwIfAborted();
  const shopUrl = `http://127.0.0.1:${port}`;
  const crm = new CrmSide(crmUrl!, signal);
  const isNew = port !== note.value.port || note.value.connector_api_key === undefined;
  if (isNew) note.write({ ...(await connect(options, note.value, { crm, shopUrl })), port });
  const { finished_at: finishedAt } = note.value;
  if (finishedAt === undefined) {
    story.tell('\nA shop with a REST API and the CRM edit the same customers at once (two-way sync):');
    const { isEqual, isQuiet } = await editBothSides(options, note.value, { crm, shop });
    if (isEqual && isQuiet) note.write({ finished_at: new Date().toISOString() });
  } else {
    const day = finishedAt.slice(0, 16).replace('T', ' ');
    story.tell(`\nA shop and the CRM edited the same customers until both were equal on ${day} UTC; the shop is at ${shopUrl}/customers again.`);
  }
  tellHowToEdit(story, { shopUrl, crmUrl: crmUrl!, portalId: CrmSide.portalId });
}

function openNote(file: string, demoConnectorId: string) {
  const known = readPrivateJson<ShopNote>(file);
  const note = {
    value: known?.demo_connector_id === demoConnectorId ? known
      : { demo_connector_id: demoConnectorId, customers: [] } as ShopNote,
    write: (more: Partial<ShopNote>): void => writePrivateJson(file, (note.value = { ...note.value, ...more })),
  };
  return note;
}

/** Binds a connector to the portal of the CRM side, and publishes the config for the shop's address. */
async function connect(
  { signal, standalone }: TwoWayOptions, note: ShopNote, { crm, shopUrl }: { crm: CrmSide; shopUrl: string },
): Promise<Pick<ShopNote, 'connector_id' | 'connector_api_key'>> {
  await crm.open();
  const api = createApiClient({ baseUrl: standalone.base_url, headers: bearer(standalone.organization_api_key), signal });
  const credentialId = await ensureCredential(api);
  const listed = (await api.listConnectors()).items.find(({ id, name }) => id === note.connector_id || name === names.connector);
  const { id } = listed ?? (await api.createConnector({ body: { name: names.connector, credential_id: credentialId } }));
  const params = { connector_id: id };
  await api.replaceDraft({ params, body: { ...twoWayConfig(shopUrl) } });
  await api.publishDraft({ params, body: { change_summary: 'A shop and the CRM, both directions' } });
  // Made after the publish: the event plane looks up a key that it does not know, and so knows what was published before.
  const key = id === note.connector_id ? note.connector_api_key : undefined;
  const made = key ?? (await api.createConnectorApiKey({ params, body: { label: names.key } })).raw_key;
  return { connector_id: id, connector_api_key: made };
}

async function ensureCredential(api: ApiClient): Promise<string> {
  const listed = (await api.listCredentials()).items.find(({ name }) => name === names.credential);
  if (listed) return listed.id;
  const data = { access_token: CrmSide.accessToken };
  return (await api.createCredential({ body: { name: names.credential, credential_type: 'crm_oauth', data } })).id;
}

/** What the shop does when a person has edited a customer: an event of what was changed. */
async function tellSluice(
  { signal, standalone }: TwoWayOptions, { connector_api_key: key }: ShopNote, change: CustomerChange,
): Promise<void> {
  const api = createApiClient({ baseUrl: standalone.base_url, headers: { 'x-api-key': key! }, signal });
  const body = { event: 'customer.edited', recordKey: change.email, timestamp: new Date().toISOString(), data: { ...change } };
  await sendEvents({ api, events: [{ key: randomUUID(), body }], onSent: () => undefined });
}

async function editBothSides(
  { signal, standalone, story }: TwoWayOptions, { connector_id: id }: ShopNote, { crm, shop }: { crm: CrmSide; shop: DemoShop },
): Promise<EndState> {
  const api = createApiClient({ baseUrl: standalone.base_url, headers: bearer(standalone.organization_api_key), signal });
  const source = { connector_id: id!, name: 'crm' };
  const journal = {
    ask: () => api.pollSource({ params: source }),
    readAt: async () => (await api.listSources({ params: { connector_id: id! } })).items.find(({ name }) =>
      name === 'crm')?.last_poll_at,
  };
  const began = performance.now();
  const wait = (timeoutMs: number): Promise<EndState> => untilEqual({
    read: async () => ({ shop: shop.all(), puts: shop.changed, crm: await crm.read() }),
    pollJournal: () => pollJournal(journal),
    inFlight: async () => (await api.connectorStats({ params: { connector_id: id! } })).in_flight,
    timeoutMs,
  });
  const edit = ({ change, side }: SideEdit): Promise<void> => (side === 'shop' ? shop.edit(change) : crm.edit(change));
  await Promise.all(firstEdits.map(edit));
  await wait(editsMs);
  const rounds = editRounds();
  for (const round of rounds) {
    // Edits of one customer are made in their order; those of different ones, at once.
    for (const one of round) await edit(one);
    await journal.ask();
  }
  const end = await wait(equalMs);
  tellTwoWay(story, { ...end, edits: [...firstEdits, ...rounds.flat()], seconds: (performance.now() - began) / 1_000 });
  return end;
}

/** The journal is read every 30 seconds by itself: the demo asks for it, and waits a moment for the reading. */
async function pollJournal(journal: { ask(): Promise<unknown>; readAt(): Promise<string | null | undefined> }): Promise<void> {
  const before = await journal.readAt();
  await journal.ask();
  for (let look = 0; look < 50 && (await journal.readAt()) === before; look += 1) await sleep(100);
}
