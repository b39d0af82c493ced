import { startLab } from '../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_TRUST_PROXY: '1', SLUICE_RATE_LIMIT_SCALE: '0.2' }); });
afterAll(() => lab.stop());

const times = <T,>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
/** How often each status was answered. */
async function statusesOf(requests: (() => Promise<{ status: number }>)[], atOnce = 50): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let next = 0; next < requests.length; next += atOnce) {
    const some = await Promise.all(requests.slice(next, next + atOnce).map((request) => request()));
    for (const { status } of some) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
/** The budget refills while the requests are sent: by a fifth of the usual, which no slow machine keeps up with. */
const few = expect.any(Number) as number;

test.each([
  ['made-up keys', (at: number) => `slo_${String(at).padStart(43, 'x')}`],
  ['forged session tokens', (at: number) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.${at}`],
])('%s are looked up within the budget of their network; others there go on', async (kind, token) => {
  const address = kind === 'made-up keys' ? '203.0.113.1' : '203.0.113.2';
  const owner = await lab.owner();
  await owner.get('/api/me').set('x-forwarded-for', address).expect(200);
  const reads = jest.spyOn(lab.configStore.organizations, 'byKeyHash');
  const counts = await statusesOf(times(600, (at) => async () =>
    lab.as(token(at)).get('/api/connectors').set('x-forwarded-for', address)));
  expect(counts).toEqual({ 401: few, 429: few });
  expect(counts[401]).toBeLessThan(400);
  expect(reads.mock.calls.length).toBeLessThanOrEqual(kind === 'made-up keys' ? counts[401]! : 0);
  reads.mockRestore();
  await owner.get('/api/me').set('x-forwarded-for', address).expect(200);
  await lab.as(token(-1)).get('/api/me').set('x-forwarded-for', '203.0.113.99').expect(401);
});

test('made-up refresh tokens are looked up within the budget of their network', async () => {
  const rotate = jest.spyOn(lab.configStore.accounts, 'rotate');
  // So few at once that only those that ended can have used the budget up.
  const counts = await statusesOf(times(400, (at) => async () =>
    lab.api().post('/api/auth/refresh').set('x-forwarded-for', '203.0.113.3').set('x-csrf-token', 'c')
      .set('cookie', `sluice_refresh=made-up-${at}; sluice_csrf=c`)), 4);
  expect(counts).toEqual({ 401: few, 429: few });
  expect(rotate.mock.calls.length).toBeLessThanOrEqual(counts[401]!);
  rotate.mockRestore();
});

test('a session that ended is refused by every process', async () => {
  const other = await startLab(lab.secrets, lab.database);
  const owner = await lab.owner();
  await other.as(owner.token).get('/api/me').expect(200);
  await lab.as(owner.token).post('/api/auth/logout').expect(204);
  await lab.as(owner.token).get('/api/me').expect(401);
  const answers: number[] = [];
  for (let tries = 0; answers.at(-1) !== 401 && tries < 500; tries += 1)
    answers.push((await other.as(owner.token).get('/api/me')).status);
  expect(answers.at(-1)).toBe(401);
  await other.stop();
});
