import { operatorToken, password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_TRUST_PROXY: '1' }); });
afterAll(() => lab.stop());

const signIn = (email: string, given: string, address: string) =>
  lab.api().post('/api/auth/login').set('x-forwarded-for', address).send({ email, password: given });
const tooMany = { detail: { error: 'too_many_attempts' } };

test('many concurrent wrong sign-ins are not all compared; the owner can use another address, or wait', async () => {
  const { email } = await lab.owner();
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(email, 'not the password', '198.51.100.1')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(6);
  expect(refused.length).toBeGreaterThanOrEqual(14);
  expect([refused[0]!.body, Number(refused[0]!.headers['retry-after'])]).toEqual([tooMany, expect.any(Number)]);
  await signIn(email, password, '198.51.100.1').expect(429);
  await signIn(email, password, '198.51.100.2').expect(200);
  lab.kv.now += 2_000;
  await signIn(email, password, '198.51.100.1').expect(200);
  await signIn(email, 'not the password', '198.51.100.1').expect(401);
});

test('guesses of the operator token are slowed per address; the operator can use another address, or wait', async () => {
  const overview = (token: string, address: string) =>
    lab.api().get('/operator/overview').set('x-forwarded-for', address).set('authorization', `Bearer ${token}`);
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1) statuses.push((await overview(`wrong-${count}`, '198.51.100.9')).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
  const refused = await overview(operatorToken, '198.51.100.9').expect(429);
  expect([refused.body, refused.headers['retry-after']]).toEqual([tooMany, '1']);
  await overview(operatorToken, '198.51.100.10').expect(200);
  lab.kv.now += 1_001;
  await overview(operatorToken, '198.51.100.9').expect(200);
  await overview('a-wrong-token', '198.51.100.9').expect(401);
  expect(Number((await overview(operatorToken, '198.51.100.9').expect(429)).headers['retry-after'])).toBe(2);
});

test('an old operator token that is sent again and again counts once for ten times, then each time', async () => {
  const send = () =>
    lab.api().get('/operator/overview').set('x-forwarded-for', '198.51.100.20').set('authorization', 'Bearer an-old-token');
  const statuses: number[] = [];
  for (let count = 0; count < 30; count += 1) statuses.push((await send()).status);
  expect(statuses.lastIndexOf(401)).toBe(28);
  expect(statuses.at(-1)).toBe(429);
});

test('sign-ins and sign-ups are counted also while the shared store is away', async () => {
  const { email } = await lab.owner();
  lab.kv.down = true;
  try {
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) statuses.push((await signIn(email, 'not the password', '198.51.100.3')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const signUps = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        lab
          .api()
          .post('/api/auth/signup')
          .set('x-forwarded-for', '198.51.100.4')
          .send({ email: `u${n}@away.example`, password, organization_name: 'X' }),
      ),
    );
    expect(signUps.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
  } finally {
    lab.kv.down = false;
  }
});

test('common passwords are refused wherever one is chosen', async () => {
  const refused = { detail: { error: 'password_too_common' } };
  for (const common of ['password123', ' '.repeat(12)]) {
    const signUp = await lab
      .api()
      .post('/api/auth/signup')
      .send({ email: 'c@two.example', password: common, organization_name: 'X' })
      .expect(400);
    const made = await lab.operator
      .post('/operator/organizations', { name: 'X', owner_email: 'd@two.example', owner_password: common })
      .expect(400);
    expect([signUp.body, made.body]).toEqual([refused, refused]);
  }
});

test.each(['/api/auth/login', '/api/auth/signup', '/api/auth/refresh', '/api/auth/logout'])(
  '%s reads 8 KiB and no more',
  async (path) => {
    const answer = await lab
      .api()
      .post(path)
      .send({ email: 'a@b.example', password: 'x'.repeat(8_192) })
      .expect(413);
    expect(answer.body).toEqual({ detail: { error: 'payload_too_large', limit_bytes: 8_192 } });
  },
);
