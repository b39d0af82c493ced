import { compileConfig } from '@sluice/config-model';
import type { ConnectorChange, Entity, Step } from '@sluice/contracts';
import { createActivity } from '@sluice/crm-writer';
import { freeAdmission } from '@sluice/gates';
import { openTraces } from '@sluice/flow-run';
import { type CrmRecords, monotonicClock, type Settlement, silentLogger } from '@sluice/ports';
import {
  createMemoryBlobStore, createMemoryRunStore, IdentityMapTwin, partialPort, RestTargetsTwin, unusedPort,
} from '@sluice/ports/testing';
import { createMetrics } from '@sluice/service-kit';
import type { WatchedWork } from '../crash-watch/crash-watch';
import { createHeldScopes } from '../held/held-scopes';
import { CallTimes } from '../partitions/call-times';
import { PartitionLeases } from '../partitions/partition-leases';
import { closedBreakers } from '../test-support/closed-breakers';
import { tinyConfig } from '../test-support/tiny-config';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { createRunnerMetrics } from '../runner-metrics';
import { createUnitProcessor, type ProcessorDeps } from './unit-processor';

const connector = {
  connector_id: 'c', revision: 1, status: 'active', deleted: false, active_version: 3, organization: { state: 'active' },
  binding: null, default_store_id: null,
} as unknown as ConnectorChange;

const customer: Entity = {
  name: 'customer',
  schemas: {
    crm: {
      object_type: 'contacts', identity: { property: 'email' },
      field_mappings: [{ source: '$.payload.email', target: 'email' }],
    },
  },
};
const steps: Step[] = [
  { id: 'customer', action: 'upsert', target: 'crm', entity: 'customer' },
  { id: 'order', action: 'upsert', target: 'crm', entity: 'order' },
];
const config = compileConfig({
  ...tinyConfig, entities: [...tinyConfig.entities, customer], flows: [{ ...tinyConfig.flows[0]!, steps }],
});

/** A runner's processor and the lease of a partition. The CRM accepts every write, and the test learns of each. */
const monotonicNow = monotonicClock(() => performance.now());

async function lab(wrote: (objectType: string, lose: () => void) => void) {
  const leases = new PartitionLeases({
    ownership: createMemoryRunStore().ownership, owner: 'me', leaseMs: 60_000, renewEveryMs: 20_000, graceMs: 0, takeOver: false,
    startWithinMs: 30_000, calls: new CallTimes({ monotonicNow, leastMs: 0 }), monotonicNow,
    sleep: () => Promise.resolve(),
    onLost: () => undefined,
    onError: (error) => { throw error; },
    told: () => undefined,
  });
  const lease = (await leases.acquire({ topic: 'events.inbound', partition: 3 }))!;
  const written: string[] = [];
  const crm = partialPort<CrmRecords>('crm', {
    upsert: async ({ objectType }) => {
      const crm_id = String(written.push(objectType));
      wrote(objectType, () => leases.abandon(lease));
      return { ok: true, value: { crm_id, created: true, updated: false, skipped: false, reason: null } };
    },
  });
  const settled: Settlement[] = [];
  const settle = (settlement: Settlement) => {
    settled.push(settlement);
    return Promise.resolve({ refused: false, heldLeft: null });
  };
  const deps = {
    writer: {
      recordsFor: () => crm,
      filesFor: () => unusedPort('files'),
      identitiesFor: () => new IdentityMapTwin(),
    },
    targets: { forRun: () => new RestTargetsTwin() },
    blobs: createMemoryBlobStore(),
    directory: { ensure: () => Promise.resolve(connector), atLeast: () => connector, get: () => connector },
    configs: { peek: () => config, load: () => Promise.resolve(config) },
    settler: { settle },
    policy: { attempts: 5, waitsMs: [1], ceilingMs: 1, ttlMs: 1e12 },
    lateWriteMs: 0,
    storeNow: () => Date.parse('2026-01-01T00:00:01Z'),
    owns: (unit: Unit) => leases.holds(unit.lease),
    crashWatch: { run: (_unit: Unit, work: WatchedWork<unknown>) => work.attempt() },
    activity: createActivity(),
    scopes: createHeldScopes(),
    metrics: createRunnerMetrics(createMetrics({ service: 'flow-runner' })),
    traces: () => openTraces,
    logger: silentLogger,
    flowBreakers: closedBreakers,
  } as unknown as ProcessorDeps;
  const unit = { ...testUnit({ payload: { email: 'a@x.co', number: 'A-1' } }), lease };
  const attempt = () => createUnitProcessor(deps).attempt(unit, null, freeAdmission).finally(() => leases.stop());
  return { attempt, settled, written };
}

describe('an attempt whose partition', () => {
  it('is lost during a step begins no further step, and stores nothing', async () => {
    const { attempt, settled, written } = await lab((objectType, lose) => {
      if (objectType === 'contacts') lose();
    });
    expect(await attempt()).toEqual({ kind: 'again' });
    expect([written, settled]).toEqual([['contacts'], []]);
  });

  it('is kept runs all steps', async () => {
    const { attempt, settled, written } = await lab(() => undefined);
    expect(await attempt()).toMatchObject({ kind: 'settled' });
    expect([written, settled.map(({ verdict }) => verdict.kind)]).toEqual([['contacts', 'deals'], ['rows']]);
  });
});
