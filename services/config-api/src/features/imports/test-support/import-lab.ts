import { randomUUID } from 'node:crypto';
import { decodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import { type ImportRowEnd, type PartitionLease, turnOfImportRun } from '@sluice/ports';
import { aRow, aSettlement, ownPartition, until } from '@sluice/ports/testing';
import { createRunStore } from '@sluice/store-postgres';
import { contactConfig } from '../../../test-support/contact-config';
import type { Caller } from '../../../test-support/lab';
import { lab, shareLab } from '../../../test-support/shared-lab';

export type Outcome = Pick<ImportRowEnd, 'status'> & Partial<ImportRowEnd>;

export let owner: Caller;
let lease: PartitionLease;
export let connectorId: string;
/** From now on the test imports into this connector. */
export const importInto = (id: string): void => { connectorId = id; };
/** Connectors of tests that have ended: what still arrives for them completes, so that their imports leave their places. */
const former = new Set<string>();
/** The messages of this test's connector that were published for the runners, in order. */
export const published: EventEnvelope[] = [];
/** What the runner of these tests makes of a row; null: it has not ended. */
export const runner: { end(envelope: EventEnvelope): Outcome | null } = { end: () => ({ status: 'completed' }) };

/** One lab for all tests of a file, with a connector for each test. */
export function shareImportLab(): void {
  shareLab({ SLUICE_IMPORT_WINDOW: '4', SLUICE_HELD_ROW_TTL: '3600' });
  beforeAll(async () => {
    owner = await lab.owner();
    lease = await ownPartition(createRunStore(lab.pool));
    const { accessToken } = lab.simulator.state.addPortal(9_200_001, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
    const data = { access_token: accessToken };
    await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
    await lab.bus.subscribe({
      topic: eventsInbound.name, group: 'test', fromStart: true,
      handlers: {
        assigned: () => undefined, revoked: () => undefined,
        messages: async (_partition, messages) => {
          for (const envelope of messages.map(({ value }) => decodeEnvelope(value!))) {
            if (envelope.connector_id === connectorId) published.push(envelope);
            const end = former.has(envelope.connector_id) ? ({ status: 'completed' } as const) : runner.end(envelope);
            if (end) await settle(envelope, end);
          }
        },
      },
    });
  });
  beforeEach(async () => {
    former.add(connectorId);
    connectorId = await connector();
    published.length = 0;
    runner.end = () => ({ status: 'completed' });
  });
}

export async function connector(by: Pick<Caller, 'post' | 'put'> = owner): Promise<string> {
  const { id } = (await by.post('/api/connectors', { name: `Shop ${randomUUID()}` }).expect(201)).body;
  await by.put(`/api/connectors/${id}/draft`, config).expect(200);
  await by.post(`/api/connectors/${id}/publish`, {}).expect(200);
  return id;
}

export const config = {
  ...contactConfig,
  flows: [
    { ...contactConfig.flows[0]!, name: 'customers', event_type: 'customer_synced' },
    { ...contactConfig.flows[0]!, name: 'former', event_type: 'former.*', enabled: false },
  ],
};

export async function settle(envelope: EventEnvelope, end: Outcome): Promise<void> {
  const unit = { eventId: envelope.event_id, entityIndex: 0, run: envelope.run };
  const row = aRow(unit, { connectorId: envelope.connector_id, organizationId: envelope.organization_id });
  const importRow = {
    ...envelope.import_row!, turn: turnOfImportRun(envelope.run), crmId: null, error: null, errorCode: null, ...end,
  };
  await createRunStore(lab.pool).settle([aSettlement(lease, {
    unit, connectorId: envelope.connector_id, verdict: { kind: 'rows', rows: [row] }, importRow,
  })]);
}

export const path = (rest = ''): string => `/api/connectors/${connectorId}/bulk-imports${rest}`;
export const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ external_id: `C-${n + 1}`, properties: { email: `c${n + 1}@shop.example` } }));
export const begin = async (count: number) => (await owner.post(path(),
  { entity: 'customer', rows: rows(count) }).expect(202)).body;
export const job = async (id: string) => (await owner.get(path(`/${id}`)).expect(200)).body;
export async function ended(id: string) {
  await until('the import has ended', async () => !['queued', 'running', 'held'].includes((await job(id)).status));
  return job(id);
}
export const linesOf = async (id: string, query = '') => (await owner.get(path(`/${id}/rows${query}`)).expect(200)).body;
export const counts = ({ rows_done, rows_failed, rows_skipped, rows_held }: Record<string, number>) =>
  [rows_done, rows_failed, rows_skipped, rows_held];

/** Sends a form; fields may stand before or after the file. */
export function upload(content: string, filename: string, fields: Record<string, string> = {}) {
  const sent = lab.api().post(path()).set('authorization', `Bearer ${owner.token}`);
  void sent.attach('file', Buffer.from(content), filename);
  for (const [name, value] of Object.entries({ entity: 'customer', ...fields })) void sent.field(name, value);
  return sent;
}
export const refused = async (content: string, filename: string, fields: Record<string, string> = {}) =>
  (await upload(content, filename, fields).expect(422)).body.detail
    .map(({ loc, type }: { loc: string[]; type: string }) => [loc, type]);
