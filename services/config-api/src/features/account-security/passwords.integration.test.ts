import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
const better = 'purple giraffe on stilts';
const logIn = (email: string, secret: string) => lab.api().post('/api/auth/login').send({ email, password: secret });
const forgot = (email: string) => lab.api().post('/api/auth/password-reset').send({ email });
const confirm = (token: string, secret = better) =>
  lab.api().post('/api/auth/password-reset/confirm').send({ token, new_password: secret });
const change = (owner: Awaited<ReturnType<typeof lab.owner>>, from: string, to: string) =>
  owner.post('/api/me/password', { current_password: from, new_password: to });

describe('change of the password', () => {
  test('ends the other sessions, and links that would reset it', async () => {
    const ada = await lab.owner();
    const other = lab.as((await logIn(ada.email, password).expect(200)).body.access_token);
    await forgot(ada.email).expect(202);
    const token = await lab.tokenTo(ada.email);
    await change(ada, password, better).expect(204);
    await ada.get('/api/me').expect(200);
    expect((await other.get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token' });
    await logIn(ada.email, password).expect(401);
    await logIn(ada.email, better).expect(200);
    expect((await confirm(token, `${better} again`).expect(400)).body.detail.error).toMatch(/^token_/);
  });

  test('needs the present one, and another that is good', async () => {
    const ada = await lab.owner();
    expect((await change(ada, 'not the present one', better).expect(401)).body).toEqual(error('wrong_password'));
    expect((await change(ada, password, 'short').expect(400)).body).toEqual(error('password_too_short'));
    expect((await change(ada, password, 'password1234').expect(400)).body).toEqual(error('password_too_common'));
    expect((await change(ada, password, `${ada.email} 4ever`).expect(400)).body).toEqual(error('password_too_common'));
    expect((await change(ada, password, password).expect(400)).body).toEqual(error('same_password'));
    await logIn(ada.email, password).expect(200);
  });

  test('is no way to guess the password: attempts are counted as at a sign-in', async () => {
    const ada = await lab.owner();
    for (let count = 0; count < 5; count += 1) await change(ada, `guess number ${count}`, better).expect(401);
    const refused = await change(ada, password, better).expect(429);
    expect([refused.body, Number(refused.headers['retry-after']) > 0]).toEqual([error('too_many_attempts'), true]);
  });
});

describe('a forgotten password', () => {
  test('is set again by the link, which ends every session and verifies the address', async () => {
    const ada = await lab.signUp('ada@forgot.example');
    await forgot(' ADA@forgot.example'.trim()).expect(202);
    const [link] = await lab.linksTo(ada.email);
    expect(link).toMatch(/^http:\/\/sluice\.test\/password-reset\?token=[\w-]{43}$/);
    const answer = await confirm(await lab.tokenTo(ada.email)).expect(204);
    expect(answer.headers['set-cookie']).toBeUndefined();
    await ada.get('/api/me').expect(401);
    await logIn(ada.email, password).expect(401);
    const again = lab.as((await logIn(ada.email, better).expect(200)).body.access_token);
    expect((await again.get('/api/me').expect(200)).body.user.email_verified).toBe(true);
  });

  test('the answer is the same for every address, and at most five mails an hour go to one', async () => {
    const { email } = await lab.owner();
    const answers = await Promise.all([email, 'nobody@forgot.example'].map((to) => forgot(to)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[202, {}], [202, {}]]);
    expect(await lab.linksTo('nobody@forgot.example')).toEqual([]);
    for (let count = 0; count < 6; count += 1) await forgot(email).expect(202);
    expect(await lab.linksTo(email)).toHaveLength(5);
    await forgot('no address').expect(422);
  });

  test('a refused password leaves the link good; used twice in parallel, one wins', async () => {
    const { email } = await lab.owner();
    await forgot(email).expect(202);
    const token = await lab.tokenTo(email);
    for (const [secret, code] of [['short', 'password_too_short'], ['password1234', 'password_too_common'], [password, 'same_password']]) {
      expect((await confirm(token, secret).expect(400)).body).toEqual(error(code!));
    }
    const both = await Promise.all([confirm(token, better), confirm(token, `${better} too`)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect((await confirm(token, `${better} three`).expect(400)).body).toEqual(error('token_consumed'));
    const won = both[0].status === 204 ? better : `${better} too`;
    await logIn(email, won).expect(200);
  });

  test('a newer link ends the older ones; a link expires, and is of no use for anything else', async () => {
    const ada = await lab.signUp('ada@links.example');
    const verification = await lab.tokenTo(ada.email);
    await forgot(ada.email).expect(202);
    const older = await lab.tokenTo(ada.email);
    await forgot(ada.email).expect(202);
    const newer = await lab.tokenTo(ada.email);
    expect((await confirm(older).expect(400)).body.detail.error).toMatch(/^token_(invalid|consumed)$/);
    expect((await confirm(verification).expect(400)).body).toEqual(error('token_invalid'));
    expect((await lab.api().post('/api/auth/verify-email').send({ token: newer }).expect(400)).body).toEqual(
      error('token_invalid'),
    );
    expect((await confirm('made-up').expect(400)).body).toEqual(error('token_invalid'));
    const { rows } = await lab.pool.query('SELECT * FROM mail_tokens');
    expect(JSON.stringify(rows)).not.toContain(newer);
    await lab.pool.query(`UPDATE mail_tokens SET expires_at = now() - interval '1 s' WHERE address = $1`, [ada.email]);
    expect((await confirm(newer).expect(400)).body).toEqual(error('token_expired'));
  });
});
