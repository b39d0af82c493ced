import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
type Owner = Awaited<ReturnType<typeof lab.owner>>;
const ask = (owner: Owner, email: string, secret = password) => owner.post(
  '/api/me/email', { new_email: email, password: secret },
);
const confirm = (owner: Owner, proof: object) => owner.post('/api/me/email/confirm', proof);
const emailOf = async (owner: Owner): Promise<string> => (await owner.get('/api/me').expect(200)).body.user.email;
const mailsTo = async (email: string): Promise<{ subject: string; text: string; links: string[] }[]> =>
  (await lab.operator.get(`/operator/outbox?to=${encodeURIComponent(email)}`).expect(200)).body.items;
const codeTo = async (email: string): Promise<string> => /\b\d{6}\b/.exec((await mailsTo(email))[0]!.text)![0];
const wrong = (code: string): string => (code === '000000' ? '000001' : '000000');

test('the address changes by the link of a mail to the new one; the old one is told, without a token', async () => {
  const ada = await lab.owner();
  await ask(ada, ' Ada@New.example'.trim()).expect(202);
  expect(await emailOf(ada)).toBe(ada.email);
  const [mail] = await mailsTo('ada@new.example');
  expect(mail!.links).toHaveLength(1);
  const [notice] = await mailsTo(ada.email);
  expect([notice!.text.includes('ada@new.example'), notice!.links]).toEqual([true, []]);
  await confirm(ada, { token: await lab.tokenTo('ada@new.example') }).expect(204);
  expect(await emailOf(ada)).toBe('ada@new.example');
  expect((await mailsTo(ada.email))[0]).toMatchObject({ links: [] });
  await lab.api().post('/api/auth/login').send({ email: ada.email, password }).expect(401);
  await lab.api().post('/api/auth/login').send({ email: 'ada@new.example', password }).expect(200);
  expect((await confirm(ada, { token: 'made-up' }).expect(400)).body).toEqual(error('no_pending_change'));
});

test('it changes by the code of the mail as well', async () => {
  const ada = await lab.owner();
  await ask(ada, 'ada@code.example').expect(202);
  const code = await codeTo('ada@code.example');
  expect((await confirm(ada, { code: wrong(code) }).expect(400)).body).toEqual(error('code_invalid'));
  const { rows } = await lab.pool.query('SELECT * FROM mail_tokens');
  expect(JSON.stringify(rows)).not.toContain(code);
  await confirm(ada, { code }).expect(204);
  expect(await emailOf(ada)).toBe('ada@code.example');
});

test('five wrong codes end the code, not the link', async () => {
  const ada = await lab.owner();
  await ask(ada, 'ada@guess.example').expect(202);
  const code = await codeTo('ada@guess.example');
  const guesses = await Promise.all(Array.from({ length: 5 }, () => confirm(ada, { code: wrong(code) })));
  expect(guesses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  const refused = await confirm(ada, { code }).expect(429);
  expect([refused.body, refused.headers['retry-after'] !== undefined]).toEqual([error('code_attempts_exhausted'), true]);
  await confirm(ada, { token: await lab.tokenTo('ada@guess.example') }).expect(204);
});

test('link and code expire', async () => {
  const ada = await lab.owner();
  await ask(ada, 'ada@late.example').expect(202);
  await lab.pool.query(`UPDATE mail_tokens SET expires_at = now() - interval '1 s' WHERE new_address = 'ada@late.example'`);
  expect((await confirm(ada, { code: await codeTo('ada@late.example') }).expect(400)).body).toEqual(error('code_expired'));
  expect((await confirm(ada, { token: await lab.tokenTo('ada@late.example') }).expect(400)).body).toEqual(error('token_expired'));
});

test('the request needs the password and an address that is free and another', async () => {
  const [ada, bob] = [await lab.owner(), await lab.owner()];
  expect((await ask(ada, 'ada@x.example', 'not the password').expect(401)).body).toEqual(error('wrong_password'));
  expect((await ask(ada, ada.email.toUpperCase()).expect(400)).body).toEqual(error('same_email'));
  expect((await ask(ada, bob.email).expect(409)).body).toEqual(error('email_taken'));
  await ask(ada, 'no address').expect(422);
  expect((await confirm(ada, { code: '123456' }).expect(400)).body).toEqual(error('no_pending_change'));
});

test('an address that was taken since is refused at the confirmation', async () => {
  const ada = await lab.owner();
  await ask(ada, 'ada@taken.example').expect(202);
  const token = await lab.tokenTo('ada@taken.example');
  await lab.operator.post('/operator/organizations', { name: 'X', owner_email: 'ada@taken.example', owner_password: password })
    .expect(201);
  expect((await confirm(ada, { token }).expect(409)).body).toEqual(error('email_taken'));
});

test('a second request replaces the first; another account cannot confirm it; exactly one proof', async () => {
  const [ada, eve] = [await lab.owner(), await lab.owner()];
  await ask(ada, 'first@change.example').expect(202);
  const first = await lab.tokenTo('first@change.example');
  await ask(ada, 'second@change.example').expect(202);
  const second = await lab.tokenTo('second@change.example');
  expect((await confirm(ada, { token: first }).expect(400)).body).toEqual(error('token_invalid'));
  expect((await confirm(eve, { token: second }).expect(400)).body).toEqual(error('no_pending_change'));
  for (const proof of [{}, { token: second, code: '123456' }]) await confirm(ada, proof).expect(422);
  const both = await Promise.all([confirm(ada, { token: second }), confirm(ada, { token: second })]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
  expect(await emailOf(ada)).toBe('second@change.example');
});
