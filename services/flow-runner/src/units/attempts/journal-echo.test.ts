import { compileConfig } from '@sluice/config-model';
import type { ConfigDocument, ConnectorChange } from '@sluice/contracts';
import { freeAdmission } from '@sluice/gates';
import { secretMask } from '@sluice/ports';
import { createMemoryBlobStore, IdentityMapTwin, RestTargetsTwin, unusedPort } from '@sluice/ports/testing';
import { testUnit } from '../../test-support/units';
import type { AttemptDeps } from './attempt';
import { attemptUnit } from './attempt-unit';
import { judgeAttempt } from '../verdicts/judge-attempt';

const configOf = (suppress: boolean): ConfigDocument => ({
  version: '3.0', entities: [], settings: {},
  sources: [
    { name: 'crm', type: 'crm', config: { triggers: [{ object_type: 'contacts', properties: ['email'] }] } },
    { name: 'api', type: 'event_api' },
    { name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } },
  ],
  flows: [
    {
      name: 'out', source: 'crm', event_type: '0-1.update',
      steps: [{ id: 'send', action: 'post', target: 'erp', url: '/c', body: {} }],
    },
    { name: 'in', source: 'api', event_type: 'x', suppress_echo: suppress, steps: [{ id: 'end', action: 'skip', reason: 'r' }] },
  ],
});

interface Given {
  suppress?: boolean;
  forced?: boolean;
  source?: 'crm' | 'webhook';
  hops?: number;
  isEcho?: boolean;
}

async function run({ suppress = true, forced = false, source = 'crm', hops = 0, isEcho = true }: Given) {
  const asked: unknown[] = [];
  const deps = {
    writer: {
      recordsFor: () => unusedPort('crm'), filesFor: () => unusedPort('files'), identitiesFor: () => new IdentityMapTwin(),
      keepSent: async () => undefined,
      isJournalEcho: async (event: unknown) => {
        asked.push(event);
        return isEcho;
      },
      hopsOfJournal: async () => hops,
    },
    targets: { forRun: () => new RestTargetsTwin() },
    blobs: createMemoryBlobStore(),
    policy: { attempts: 5, waitsMs: [10_000], ceilingMs: 10_000, ttlMs: 1e12 },
    lateWriteMs: 0, storeNow: () => Date.now(), owns: () => true, ownedSince: () => 0,
    traces: () => ({ characters: 10_000, mask: secretMask([]) }),
  } as unknown as AttemptDeps;
  const unit = testUnit({
    payload: { object: { id: '7' } }, accepted_at: new Date().toISOString(), source_name: 'crm', source_type: source,
    event_type: '0-1.update', ...(forced && { forced }),
  });
  const binding = { credential_id: 'k', portal_id: '1', epoch: 1 };
  const connector = { connector_id: 'c', default_store_id: null, active_version: 4, binding } as unknown as ConnectorChange;
  const config = compileConfig(configOf(suppress));
  const { end } = await attemptUnit(deps, unit, { connector, version: 4, config, admission: freeAdmission });
  const verdict = judgeAttempt(unit, end, deps.policy, deps.storeNow());
  return { asked, row: (verdict as { rows: { status: string; reason: string | null }[] }).rows[0]! };
}

test('an echo in the journal ends as a row that is skipped, echo_suppressed, and sends nothing', async () => {
  const { asked, row } = await run({});
  expect(row).toMatchObject({ status: 'skipped', reason: 'echo_suppressed', flowName: 'out' });
  expect(asked).toMatchObject([
    { connectorId: 'c', eventType: '0-1.update', payload: { object: { id: '7' } }, watched: ['email'] },
  ]);
});

test('nothing is looked up without suppress_echo, for a forced replay, and for events of other sources', async () => {
  for (const given of [{ suppress: false }, { forced: true }, { source: 'webhook' as const }]) {
    const { asked, row } = await run(given);
    expect([asked, row.status]).toEqual([[], 'completed']);
  }
});

test('an event whose chain of causes has more than 8 links is skipped, hop_limit, and sends nothing', async () => {
  expect((await run({ isEcho: false, hops: 9 })).row).toMatchObject({ status: 'skipped', reason: 'hop_limit', flowName: 'out' });
  for (const given of [{ hops: 8 }, { hops: 9, forced: true }, { hops: 9, source: 'webhook' as const }])
    expect((await run({ isEcho: false, ...given })).row.status).toBe('completed');
});
