import { aConnector } from '@sluice/connector-feed/testing';
import { until } from '@sluice/ports/testing';
import { startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

/** Turns that the test gives out. */
const mockTurns = {
  waiting: [] as (() => void)[],
  next: () => new Promise<void>((resolve) => mockTurns.waiting.push(resolve)),
  give: () => mockTurns.waiting.splice(0).forEach((go) => go()),
};
jest.mock('./caller-turns', () => ({ createCallerTurns: () => mockTurns }));

let api: TestIngestApi;
beforeEach(async () => {
  api = await startIngestApi([aConnector()], { rateLimitScale: 1 });
});
afterEach(async () => {
  mockTurns.give();
  await api.stop();
});

const order = { event: 'order.placed', data: {} };
/** Asks, and gives it its turn once it waits for one. */
const inTurn = async (ask: () => Promise<{ status: number }>): Promise<number> => {
  const answer = ask();
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  await until('it waits for its turn', () => mockTurns.waiting.length > 0);
  for (let probe = 0; probe < 3; probe += 1) await api.get('/livez');
  expect(isAnswered).toBe(false);
  mockTurns.give();
  return (await answer).status;
};

test('a read waits for its turn, an event and a probe do not', async () => {
  const { body } = await api.post(order);
  expect([(await api.get('/livez')).status, mockTurns.waiting.length]).toEqual([200, 0]);
  expect(await inTurn(() => api.status(body.event_id))).toBe(200);
  expect(await inTurn(() => api.get('/nowhere'))).toBe(404);
});

test('events wait for their turn after a refused one', async () => {
  // The clock stands still, so the budget does not refill.
  api.faults.now = 1_800_000_000_000;
  expect([(await api.post(order)).status, (await api.post({})).status]).toEqual([202, 422]);
  expect(await inTurn(() => api.post(order))).toBe(202);
  expect(await inTurn(() => api.post({}))).toBe(422);
});
