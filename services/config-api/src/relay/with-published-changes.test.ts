import { StoreUnavailable } from '@sluice/ports';
import type { HttpRoute } from '@sluice/service-kit';
import { withPublishedChanges } from './with-published-changes';

const route = (method: string): HttpRoute =>
  ({ contract: { method }, handler: () => Promise.resolve({ status: 200, body: {} }) }) as unknown as HttpRoute;

/** An outbox with a message after each answer. `looks`: how often it is asked before a woken relay has published the message. */
function lab({ looks = 0, away = false } = {}) {
  const seen = { asked: 0, woken: 0 };
  let now = 0;
  let left = looks;
  const outbox = {
    newestWaiting: (upTo?: bigint): Promise<bigint | null> => {
      seen.asked += 1;
      now += 100;
      if (away) return Promise.reject(new StoreUnavailable('no database'));
      if (upTo === undefined) return Promise.resolve(looks === 0 ? null : 7n);
      expect(upTo).toBe(7n);
      left -= 1;
      return Promise.resolve(left <= 0 ? null : 7n);
    },
  };
  const decorate = withPublishedChanges({ outbox, relay: { wake: () => { seen.woken += 1; } }, monotonicNow: () => now });
  const call = (method: string) => decorate(route(method)).handler({} as Parameters<HttpRoute['handler']>[0]);
  return { seen, call, drain: () => { looks = 0; }, fill: () => { looks = Infinity; left = Infinity; } };
}
const done = { status: 200, body: {} };

it('answers a change once the relay, which it wakes, has published it', async () => {
  const { seen, call } = lab({ looks: 3 });
  expect(await call('post')).toEqual(done);
  expect(seen).toEqual({ asked: 4, woken: 1 });
});

it('answers a read, and a change that left nothing in the outbox, at once', async () => {
  const { seen, call } = lab();
  expect([await call('get'), await call('patch')]).toEqual([done, done]);
  expect(seen).toEqual({ asked: 1, woken: 0 });
});

it('answers after a second while the broker is away, and then waits no more until the outbox was empty', async () => {
  const { seen, call, drain, fill } = lab({ looks: Infinity });
  expect(await call('put')).toEqual(done);
  const { asked } = seen;
  expect(asked).toBeGreaterThan(5);
  expect(await call('put')).toEqual(done);
  expect(seen.asked).toBe(asked + 1);
  drain();
  await call('put');
  fill();
  await call('put');
  expect(seen).toMatchObject({ woken: 2 });
});

it('answers while the database is away: the change is stored', async () => {
  expect(await lab({ away: true }).call('delete')).toEqual(done);
});
