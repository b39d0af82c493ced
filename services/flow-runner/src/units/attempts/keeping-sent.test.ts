import { compileConfig } from '@sluice/config-model';
import type { ConfigDocument, ConnectorChange } from '@sluice/contracts';
import { type UnitContext } from '@sluice/crm-writer';
import { freeAdmission } from '@sluice/gates';
import { type CarriedRecord, secretMask, type TargetRequest } from '@sluice/ports';
import { createMemoryBlobStore, IdentityMapTwin, RestTargetsTwin, unusedPort } from '@sluice/ports/testing';
import { testUnit } from '../../test-support/units';
import type { AttemptDeps } from './attempt';
import { attemptUnit } from './attempt-unit';
import { judgeAttempt } from '../verdicts/judge-attempt';
import { keepingSent } from './keeping-sent';

const unit = { connectorId: 'c' } as UnitContext;
const request: TargetRequest = { target: 'erp', method: 'POST', url: '/c', headers: {}, stepId: 'send' };
const carries = (properties: CarriedRecord['properties']) => ({
  ...request,
  carries: { objectType: '0-1', crmId: '7', properties },
});

/** A run whose destinations give these answers, and what is remembered of its requests. */
function aRun(answers: ConstructorParameters<typeof RestTargetsTwin>[0], own: UnitContext | null = unit) {
  const kept: CarriedRecord['properties'][] = [];
  const sending: [CarriedRecord['properties'], isUnderWay: boolean][] = [];
  const writer = {
    keepSent: async (_unit: UnitContext, record: CarriedRecord) => void kept.push(record.properties),
    keepSending: async (_unit: UnitContext, { properties }: CarriedRecord, endedAt: number | null) =>
      void sending.push([properties, endedAt === null]),
    isOutdated: async (_unit: UnitContext, { crmId }: CarriedRecord) => crmId === '7',
  };
  const twin = new RestTargetsTwin(answers);
  return { kept, sending, twin, targets: keepingSent(twin, writer, own) };
}

describe('the values of a record that destinations accepted', () => {
  it('are remembered, those of several requests of an event together', async () => {
    const { kept, targets } = aRun([]);
    await targets.send(carries({ city: 'A' }));
    await targets.send(carries({ email: 'a@x.co' }));
    expect(kept).toEqual([{ city: 'A' }, { city: 'A', email: 'a@x.co' }]);
  });

  it('are not remembered after a refusal, nor from a request without a record', async () => {
    const { kept, targets } = aRun([{ status: 422 }, { status: 503 }]);
    await targets.send(carries({ city: 'A' }));
    await targets.send(carries({ city: 'A' }));
    await targets.send(request);
    expect(kept).toEqual([]);
  });

  it('are remembered when only the answer could not be read', async () => {
    const { kept, twin, targets } = aRun([]);
    twin.failNext({ kind: 'permanent', code: 'target_answer_too_large', message: 'large', status: 200 });
    expect(await targets.send(carries({ city: 'A' }))).toMatchObject({ ok: false });
    expect(kept).toEqual([{ city: 'A' }]);
  });
});

test('a request is remembered while it is under way, and that it has ended, whatever the answer is', async () => {
  const { sending, targets } = aRun([{ status: 422 }]);
  const record = { objectType: '0-1', crmId: '8', properties: { city: 'A' } };
  expect(await targets.isOutdated?.(record)).toBe(false);
  expect(sending).toEqual([[{ city: 'A' }, true]]);
  await targets.send(carries({ city: 'A' }));
  expect(sending.slice(1)).toEqual([[{ city: 'A' }, true], [{ city: 'A' }, false]]);
  await targets.isOutdated?.({ ...record, crmId: '7' });
  expect(sending.slice(3)).toEqual([[{ city: 'A' }, true], [{ city: 'A' }, false]]);
});

test('whether a record has newer values is asked for the unit; without a portal nobody can be asked', async () => {
  const record = { objectType: '0-1', crmId: '7', properties: { city: 'A' } };
  expect(await aRun([]).targets.isOutdated?.(record)).toBe(true);
  expect(await aRun([]).targets.isOutdated?.({ ...record, crmId: '8' })).toBe(false);
  expect(aRun([], null).targets.isOutdated).toBeUndefined();
});

const config: ConfigDocument = {
  version: '3.0',
  entities: [],
  sources: [
    { name: 'crm', type: 'crm' },
    { name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } },
  ],
  flows: [
    {
      name: 'out',
      source: 'crm',
      event_type: '0-1.update',
      steps: [{ id: 'send', action: 'post', target: 'erp', url: '/c', body: { town: '$.payload.object.properties.city' } }],
    },
  ],
  settings: {},
};

test('a run of an event of the journal keeps what its post sent, as its own', async () => {
  const kept: [UnitContext['echoes'], CarriedRecord][] = [];
  const deps = {
    writer: {
      recordsFor: () => unusedPort('crm'),
      filesFor: () => unusedPort('files'),
      identitiesFor: () => new IdentityMapTwin(),
      hopsOfJournal: async () => 0,
      keepSending: async () => undefined,
      keepSent: async ({ echoes }: UnitContext, record: CarriedRecord) => void kept.push([echoes, record]),
    },
    targets: { forRun: () => new RestTargetsTwin() },
    blobs: createMemoryBlobStore(),
    policy: { attempts: 5, waitsMs: [10_000], ceilingMs: 10_000, ttlMs: 1e12 },
    lateWriteMs: 0,
    storeNow: () => Date.now(),
    owns: () => true,
    ownedSince: () => 0,
    traces: () => ({ characters: 10_000, mask: secretMask([]) }),
  } as unknown as AttemptDeps;
  const payload = { object: { id: '7', type: '0-1', properties: { city: 'A', email: 'a@x.co' } } };
  const accepted_at = new Date().toISOString();
  const unit = testUnit({ payload, accepted_at, source_name: 'crm', source_type: 'crm', event_type: '0-1.update' });
  const binding = { credential_id: 'k', portal_id: '1', epoch: 1 };
  const connector = { connector_id: 'c', default_store_id: null, active_version: 4, binding } as unknown as ConnectorChange;
  const setting = { connector, version: connector.active_version, config: compileConfig(config), admission: freeAdmission };
  const { end } = await attemptUnit(deps, unit, setting);
  const verdict = judgeAttempt(unit, end, deps.policy, deps.storeNow());
  expect(verdict).toMatchObject({ kind: 'rows', rows: [{ status: 'completed' }] });
  const own = { eventId: unit.envelope.event_id, acceptedAt: Date.parse(accepted_at), hops: 0 };
  const echoes = { check: true, suppress: false, sends: true, ...own };
  expect(kept).toEqual([[echoes, { objectType: '0-1', crmId: '7', properties: { city: 'A' } }]]);
});
