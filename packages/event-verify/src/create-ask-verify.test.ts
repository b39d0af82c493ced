import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock, StoreUnavailable } from '@sluice/ports';
import { createMemoryServiceRequests, createMemoryTaskStore, until } from '@sluice/ports/testing';
import { apiError } from '@sluice/service-kit';
import { runContext } from '@sluice/background/test-support';
import { aConnector } from '@sluice/connector-feed/testing';
import { createAskVerify } from './create-ask-verify';
import type { UnitToVerify } from './verify-event-job';
import { verifyKind } from './verify-request';
import type { VerifyUnits } from './verify-units';
import { verifyWorker } from './verify-worker';

const whose = { organizationId: 'org', connectorId: 'con' };
const unit: UnitToVerify = { id: 'row', externalId: 'ada', entityName: 'contact', skipped: {} };
const record = {
  entity_name: 'contact', external_id: 'ada', crm_id: '7', status: 'match' as const, properties: [], reason: null,
};

/** A service that asks, and one that answers when it is told to. */
function lab(verifyUnits: VerifyUnits, waitMs = 2_000) {
  const [requests, tasks] = [createMemoryServiceRequests(), createMemoryTaskStore()];
  const monotonicNow = monotonicClock(() => performance.now());
  const ask = createAskVerify({ requests, tasks, waitMs, monotonicNow, sleep: (ms) => sleep(Math.min(ms, 5)) });
  const worker = verifyWorker({ requests, connectors: { connector: async () => aConnector() }, verifyUnits, places: 4 });
  const asked = async (): Promise<string[]> => {
    const { runs } = await tasks.claim('test', [{ worker: verifyKind, limit: 100, leaseMs: 60_000, exceptTenants: [] }]);
    return runs.map(({ key }) => key);
  };
  const answerNext = async (): Promise<string> => {
    let keys: string[] = [];
    await until('it asks', async () => (keys = await asked()).length > 0);
    await worker.run(runContext({ key: keys[0]! }));
    return keys[0]!;
  };
  return { ask, requests, tasks, worker, asked, answerNext };
}

test('the records are compared by the service that is asked, for the connector and the units', async () => {
  const given: unknown[] = [];
  const { ask, answerNext, requests } = lab(async (connector, units) => {
    given.push([connector.connector_id, units]);
    return [record];
  });
  const [entities, key] = await Promise.all([ask(whose, [unit]), answerNext()]);
  expect(entities).toEqual([record]);
  expect(given).toEqual([[aConnector().connector_id, [unit]]]);
  expect(await requests.take(key)).toBeNull();
});

test('a refusal reaches the caller with its status, its detail and its headers', async () => {
  const { ask, answerNext } = lab(() => Promise.reject(apiError('service_unavailable', {}, { 'Retry-After': '9' })));
  const refused = ask(whose, [unit]).catch((error: unknown) => error);
  await answerNext();
  expect(await refused).toMatchObject({
    status: 503, detail: { error: 'service_unavailable' }, headers: { 'Retry-After': '9' },
  });
});

test('when nobody answers in time it is 503, and the request and its task are gone', async () => {
  const { ask, asked, requests, worker } = lab(async () => [record], 30);
  const refused = ask(whose, [unit]).catch((error: unknown) => error);
  const [key] = await asked();
  expect(await refused).toMatchObject({ status: 503 });
  expect([await requests.open(key!), await asked()]).toEqual([null, []]);
  // A late answer finds nobody, and does no harm.
  await worker.run(runContext({ key: key! }));
  expect(await requests.take(key!)).toBeNull();
});

test('an event without records asks nobody; more than 64 events at once are refused at once', async () => {
  const { ask, asked } = lab(async () => [record], 60_000);
  expect(await ask(whose, [])).toEqual([]);
  expect(await asked()).toEqual([]);
  for (let waiting = 0; waiting < 64; waiting += 1) void ask(whose, [unit]).catch(() => undefined);
  await expect(ask(whose, [unit])).rejects.toMatchObject({ status: 503 });
});

describe('the worker', () => {
  test('that could not verify is tried again, and says 503 when it gives up', async () => {
    const { worker, requests } = lab(() => Promise.reject(new StoreUnavailable('away')));
    await requests.add({ id: 'a', kind: verifyKind, body: { connectorId: 'con', units: [unit] } });
    await expect(worker.run(runContext({ key: 'a' }))).rejects.toThrow('away');
    expect(await requests.open('a')).not.toBeNull();
    await worker.gaveUp!(runContext({ key: 'a' }), 'away');
    expect(await requests.take('a')).toMatchObject({ answer: { refused: { status: 503 } } });
  });

  test('that runs twice verifies once more, and the first answer counts', async () => {
    let runs = 0;
    const { worker, requests } = lab(async () => [{ ...record, crm_id: String((runs += 1)) }]);
    await requests.add({ id: 'a', kind: verifyKind, body: { connectorId: 'con', units: [unit] } });
    await Promise.all([worker.run(runContext({ key: 'a' })), worker.run(runContext({ key: 'a' }))]);
    expect(await requests.take('a')).toMatchObject({ answer: { entities: [{ crm_id: expect.any(String) }] } });
    await worker.run(runContext({ key: 'a' }));
    expect(runs).toBe(2);
  });
});
