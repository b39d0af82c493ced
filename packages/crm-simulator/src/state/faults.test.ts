import { Faults, type Fault } from './faults';

const base: Omit<Fault, 'faultId'> = { headers: {}, delayMs: 0, drop: false, afterWrite: false, probability: 1, status: 500 };
const call = { portalId: 1, method: 'POST', path: '/crm/v3/objects/contacts/batch/upsert', body: '{"id":"a@x.co"}' };

it.each([
  [{}, true],
  [{ portalId: 1 }, true],
  [{ portalId: 2 }, false],
  [{ method: 'GET' }, false],
  [{ path: /contacts/ }, true],
  [{ path: /deals/ }, false],
  [{ bodyContains: 'a@x' }, true],
  [{ bodyContains: 'b@x' }, false],
])('a fault with %j strikes: %s', (more, strikes) => {
  const faults = new Faults(Math.random);
  faults.add({ ...base, ...more });
  expect(faults.strike(call) !== undefined).toBe(strikes);
});

it('strikes its number of times, then the next one', () => {
  const faults = new Faults(Math.random);
  const [first, second] = [faults.add({ ...base, left: 2 }), faults.add(base)];
  expect([1, 2, 3].map(() => faults.strike(call)?.faultId)).toEqual([first, first, second]);
  expect(faults.clear()).toBe(2);
  expect(faults.strike(call)).toBeUndefined();
});

it('strikes by chance', () => {
  const draws = [0.2, 0.6];
  const faults = new Faults(() => draws.shift()!);
  faults.add({ ...base, probability: 0.5 });
  expect([faults.strike(call) !== undefined, faults.strike(call) !== undefined]).toEqual([true, false]);
});
