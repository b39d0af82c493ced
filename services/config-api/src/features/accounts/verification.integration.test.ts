import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_TRUST_PROXY: '1' }); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
let networks = 0;
/** From a network of its own: sign-ups are limited by network. */
const signUp = async (email: string) => {
  networks += 1;
  const answer = await lab.api().post('/api/auth/signup').set('x-forwarded-for', `198.51.100.${networks}`)
    .send({ email, password, organization_name: 'Shop' }).expect(201);
  return { ...lab.as(answer.body.access_token), email, organizationId: answer.body.organization_id as string };
};
const verify = (token: string) => lab.api().post('/api/auth/verify-email').send({ token });
const resend = (email: string) => lab.api().post('/api/auth/resend-verification').send({ email });

test('an unverified owner may look; keys, publishing and inviting need a verified address', async () => {
  const ada = await signUp('ada@first.example');
  const { id } = (await ada.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  await ada.get('/api/connectors').expect(200);
  const resend_url = 'http://sluice.test/api/auth/resend-verification';
  const attempts = () => [
    ada.post('/api/org-api-keys', { label: 'ci' }),
    ada.post(`/api/connectors/${id}/api-keys`, { label: 'shop' }),
    ada.post(`/api/connectors/${id}/compat-keys`, { secret: 'k9-legacy-secret', label: 'old' }),
    ada.post(`/api/connectors/${id}/publish`, {}),
    ada.post('/api/connectors', { name: 'With a key', create_api_key: true }),
    ada.post('/api/v1/connectors/from-template/shop-orders', { name: 'With a key', create_api_key: true }),
  ];
  for (const attempt of attempts()) {
    expect((await attempt.expect(403)).body).toEqual({ detail: { error: 'email_not_verified', resend_url } });
  }
  expect((await ada.get('/api/me').expect(200)).body.user.email_verified).toBe(false);
  await verify(await lab.tokenTo(ada.email)).expect(204);
  expect((await ada.get('/api/me').expect(200)).body.user.email_verified).toBe(true);
  const statuses = await Promise.all(attempts().map(async (attempt) => (await attempt).status));
  expect(statuses).not.toContain(403);
});

test('the token is good once, until it expires, and for its purpose only', async () => {
  const ada = await signUp('ada@second.example');
  const token = await lab.tokenTo(ada.email);
  expect((await verify('made-up').expect(400)).body).toEqual(error('token_invalid'));
  await verify('').expect(422);
  expect((await lab.api().post(`/api/invitations/${token}/accept`).send({ name: 'A', password }).expect(404)).body).toEqual(
    error('invitation_not_found'),
  );
  const both = await Promise.all([verify(token), verify(token)]);
  expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
  expect((await verify(token).expect(400)).body).toEqual(error('token_consumed'));
  const bob = await signUp('bob@second.example');
  await lab.pool.query(`UPDATE mail_tokens SET expires_at = now() - interval '1 s' WHERE address = $1`, [bob.email]);
  expect((await verify(await lab.tokenTo(bob.email)).expect(400)).body).toEqual(error('token_expired'));
  const { rows } = await lab.pool.query('SELECT * FROM mail_tokens WHERE address = $1', [ada.email]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('a link that is opened where another account is signed in verifies nothing', async () => {
  const [ada, eve] = [await signUp('ada@third.example'), await signUp('eve@third.example')];
  const token = await lab.tokenTo(ada.email);
  expect((await eve.post('/api/auth/verify-email', { token }).expect(403)).body).toEqual(error('verification_tab_required'));
  await ada.post('/api/auth/verify-email', { token }).expect(204);
});

test('the mail is sent again to unverified addresses, at most five an hour, and the answer is always the same', async () => {
  const ada = await signUp('ada@fourth.example');
  for (let count = 0; count < 6; count += 1) expect((await resend(' Ada@fourth.example'.trim()).expect(202)).body).toEqual({});
  expect(await lab.linksTo(ada.email)).toHaveLength(5);
  for (const link of await lab.linksTo(ada.email)) {
    await verify(new URL(link).searchParams.get('token')!).expect(204);
  }
  const { email } = await lab.owner();
  for (const nobody of [email, 'unknown@fourth.example']) {
    await resend(nobody).expect(202);
    expect(await lab.linksTo(nobody)).toEqual([]);
  }
  await resend('no address').expect(422);
});

test('the trial of a mail domain is decided with the verification', async () => {
  const [ada, bob] = [await signUp('ada@company.example'), await signUp('bob@company.example')];
  const planOf = async (owner: typeof ada) => {
    const { tier, trial_blocked_reason } = (await owner.get('/api/v1/billing/me').expect(200)).body;
    return [tier, trial_blocked_reason];
  };
  expect([await planOf(ada), await planOf(bob)]).toEqual([['trial', undefined], ['trial', undefined]]);
  await verify(await lab.tokenTo(bob.email)).expect(204);
  await verify(await lab.tokenTo(ada.email)).expect(204);
  expect([await planOf(ada), await planOf(bob)]).toEqual([['free', 'trial_already_used'], ['trial', undefined]]);
});

test('the mail cannot be read in the database, and its link begins with the public address', async () => {
  networks += 1;
  await lab.api().post('/api/auth/signup').set('host', 'evil.example').set('x-forwarded-host', 'evil.example')
    .set('x-forwarded-for', `198.51.100.${networks}`)
    .send({ email: 'ada@fifth.example', password, organization_name: 'Shop' }).expect(201);
  const [link] = await lab.linksTo('ada@fifth.example');
  expect(link).toMatch(/^http:\/\/sluice\.test\/verify-email\?token=[\w-]{43}$/);
  const { rows } = await lab.pool.query('SELECT * FROM mails WHERE recipient = $1', ['ada@fifth.example']);
  expect(JSON.stringify(rows)).not.toContain(new URL(link!).searchParams.get('token'));
});

test('an entry of the outbox ends with its link', async () => {
  await signUp('ada@sixth.example');
  expect(await lab.linksTo('ada@sixth.example')).toHaveLength(1);
  await lab.pool.query(`UPDATE mails SET expires_at = now() - interval '1 s' WHERE recipient = 'ada@sixth.example'`);
  expect(await lab.linksTo('ada@sixth.example')).toEqual([]);
});
