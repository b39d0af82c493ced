import { Secret, TOTP } from 'otpauth';
import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_CODE_LOCK: '900' }); });
afterAll(() => lab.stop());

const error = (code: string) => ({ detail: { error: code } });
const logIn = async (email: string) => (await lab.api().post('/api/auth/login').send({ email, password }).expect(200));
const secondStep = (mfaToken: string, code: string) => lab.api().post('/api/auth/login/mfa').send({ mfa_token: mfaToken, code });
/** The code of the present time step, or of a neighbour. The service's clock stands still in the lab. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: lab.kv.now + steps * 30_000 });

/** An account with a second factor; the code of the step before the present one is taken. */
async function protectedOwner() {
  const owner = await lab.owner();
  const { secret } = (await owner.post('/api/me/mfa/enroll').expect(200)).body;
  const { body } = await owner.post('/api/me/mfa/confirm', { code: codeOf(secret, -1) }).expect(200);
  return { ...owner, secret: secret as string, recoveryCodes: body.recovery_codes as string[] };
}

describe('enrollment', () => {
  test('shows the secret once, as text, URL and image; a code switches it on', async () => {
    const owner = await lab.owner();
    const enrolled = (await owner.post('/api/me/mfa/enroll').expect(200)).body;
    expect(enrolled).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/), otpauth_url: expect.stringContaining(`secret=${enrolled.secret}`),
      qr_svg: expect.stringMatching(/^<svg /),
    });
    const url = new URL(enrolled.otpauth_url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject(
      { issuer: 'Sluice', algorithm: 'SHA1', digits: '6', period: '30' },
    );
    expect(decodeURIComponent(url.pathname)).toContain(owner.email);
    expect((await owner.post('/api/me/mfa/enroll').expect(409)).body).toEqual(error('enrollment_already_in_progress'));
    expect((await owner.post('/api/me/mfa/confirm', { code: '12345' }).expect(401)).body).toEqual(error('invalid_code'));
    expect((await owner.get('/api/me').expect(200)).body.user.mfa_enabled).toBe(false);
    const confirmed = (await owner.post('/api/me/mfa/confirm', { code: codeOf(enrolled.secret) }).expect(200)).body;
    expect(new Set(confirmed.recovery_codes).size).toBe(10);
    expect((await owner.get('/api/me').expect(200)).body.user.mfa_enabled).toBe(true);
    expect((await owner.post('/api/me/mfa/enroll').expect(409)).body).toEqual(error('mfa_already_enabled'));
    expect((await owner.post('/api/me/mfa/confirm', { code: codeOf(enrolled.secret, 1) }).expect(400)).body)
      .toEqual(error('no_pending_enrollment'));
  });

  test('an enrollment that was not confirmed in ten minutes is over, and can be begun again', async () => {
    const owner = await lab.owner();
    expect((await owner.post('/api/me/mfa/confirm', { code: '123456' }).expect(400)).body)
      .toEqual(error('no_pending_enrollment'));
    const { secret } = (await owner.post('/api/me/mfa/enroll').expect(200)).body;
    await lab.pool.query(`UPDATE second_factors SET enrolled_at = now() - interval '601 s' WHERE user_id = $1`, [owner.userId]);
    expect((await owner.post('/api/me/mfa/confirm', { code: codeOf(secret) }).expect(400)).body)
      .toEqual(error('no_pending_enrollment'));
    const again = (await owner.post('/api/me/mfa/enroll').expect(200)).body;
    expect(again.secret).not.toBe(secret);
    await owner.post('/api/me/mfa/confirm', { code: codeOf(again.secret) }).expect(200);
  });

  test('neither secret nor recovery codes can be read in the database or the log', async () => {
    const { secret, recoveryCodes } = await protectedOwner();
    const { rows } = await lab.pool.query(
      'SELECT row_to_json(f) FROM second_factors f UNION ALL SELECT row_to_json(r) FROM recovery_codes r',
    );
    const [stored, logged] = [JSON.stringify(rows), JSON.stringify(lab.lines)];
    for (const word of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect([stored.includes(word), logged.includes(word)]).toEqual([false, false]);
  });
});

describe('sign-in', () => {
  test('asks for a code: no token and no cookie before the second step', async () => {
    const owner = await protectedOwner();
    const first = await logIn(owner.email);
    expect(first.body).toEqual({ mfa_required: true, mfa_token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(first.headers['set-cookie']).toBeUndefined();
    expect((await lab.as(first.body.mfa_token).get('/api/me').expect(401)).body).toEqual({ detail: 'Invalid token' });
    const second = await secondStep(first.body.mfa_token, codeOf(owner.secret)).expect(200);
    expect(second.body).toMatchObject({ active_org_id: owner.organizationId, user_id: owner.userId });
    expect(String(second.headers['set-cookie'])).toMatch(/sluice_refresh=.*sluice_csrf=/);
    await lab.as(second.body.access_token).get('/api/me').expect(200);
  });

  test('a code is taken once, the token too', async () => {
    const owner = await protectedOwner();
    const [one, other] = [await logIn(owner.email), await logIn(owner.email)];
    expect((await secondStep(one.body.mfa_token, codeOf(owner.secret, -1)).expect(401)).body).toEqual(error('invalid_mfa_code'));
    await secondStep(one.body.mfa_token, codeOf(owner.secret)).expect(200);
    expect((await secondStep(one.body.mfa_token, codeOf(owner.secret, 1)).expect(401)).body).toEqual(error('invalid_mfa_token'));
    expect((await secondStep(other.body.mfa_token, codeOf(owner.secret)).expect(401)).body).toEqual(error('invalid_mfa_code'));
    const spaced = codeOf(owner.secret, 1).replace(/^.../, '$& ');
    await secondStep(other.body.mfa_token, spaced).expect(200);
  });

  test('a recovery code stands for a code, once, however it is written', async () => {
    const owner = await protectedOwner();
    const [code = ''] = owner.recoveryCodes;
    await secondStep((await logIn(owner.email)).body.mfa_token, ` ${code.toUpperCase().replace('-', ' ')}`).expect(200);
    const { mfa_token: next } = (await logIn(owner.email)).body;
    expect((await secondStep(next, code).expect(401)).body).toEqual(error('invalid_mfa_code'));
  });

  test('the token expires, and an unknown one is none', async () => {
    const owner = await protectedOwner();
    const { mfa_token: token } = (await logIn(owner.email)).body;
    expect((await secondStep('unknown', codeOf(owner.secret)).expect(401)).body).toEqual(error('invalid_mfa_token'));
    const { rows } = await lab.pool.query(
      `UPDATE sign_in_challenges SET expires_at = now() - interval '1 s' WHERE user_id = $1
       RETURNING token_hash`, [owner.userId],
    );
    expect(rows[0].token_hash).not.toContain(token);
    expect((await secondStep(token, codeOf(owner.secret)).expect(401)).body).toEqual(error('invalid_mfa_token'));
  });

  test('five wrong codes, of whatever route and token, lock the codes; the password alone opens nothing', async () => {
    const owner = await protectedOwner();
    const wrong = '000000';
    const tokens = [await logIn(owner.email), await logIn(owner.email)].map(({ body }) => body.mfa_token as string);
    for (const token of [...tokens, ...tokens]) await secondStep(token, wrong).expect(401);
    expect((await owner.post('/api/me/mfa/disable', { password, code: wrong }).expect(401)).body).toEqual(error('invalid_code'));
    const locked = await secondStep(tokens[0]!, codeOf(owner.secret)).expect(429);
    expect(locked.body).toEqual(error('code_locked'));
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(890);
    await owner.post('/api/me/mfa/recovery-codes', { password, code: owner.recoveryCodes[0] }).expect(429);
    expect((await logIn(owner.email)).body.mfa_required).toBe(true);
    await lab.pool.query(`UPDATE second_factors SET locked_until = now() - interval '1 s' WHERE user_id = $1`, [owner.userId]);
    await secondStep(tokens[0]!, codeOf(owner.secret)).expect(200);
  });

  test('a reset of the password does not switch it off; an operator closes the account for the second step too', async () => {
    const owner = await protectedOwner();
    await lab.api().post('/api/auth/password-reset').send({ email: owner.email }).expect(202);
    const reset = { token: await lab.tokenTo(owner.email), new_password: 'purple giraffe on stilts' };
    await lab.api().post('/api/auth/password-reset/confirm').send(reset).expect(204);
    const signIn = { email: owner.email, password: reset.new_password };
    const first = (await lab.api().post('/api/auth/login').send(signIn).expect(200)).body;
    expect(first.mfa_required).toBe(true);
    await lab.operator.patch(`/operator/users/${owner.userId}`, { deactivated: true }).expect(200);
    expect((await secondStep(first.mfa_token, codeOf(owner.secret)).expect(401)).body).toEqual(error('account_deactivated'));
  });
});

describe('switching off, and new recovery codes', () => {
  test('need the password and a code', async () => {
    const owner = await protectedOwner();
    const [first, second] = owner.recoveryCodes;
    const disable = (body: object) => owner.post('/api/me/mfa/disable', body);
    expect((await disable({ password: 'not the password', code: first }).expect(401)).body).toEqual(error('wrong_password'));
    expect((await disable({ password, code: 'aaaaa-aaaaa' }).expect(401)).body).toEqual(error('invalid_code'));
    const fresh = (await owner.post('/api/me/mfa/recovery-codes', { password, code: first }).expect(200)).body.recovery_codes;
    expect((await disable({ password, code: second }).expect(401)).body).toEqual(error('invalid_code'));
    await disable({ password, code: fresh[0] }).expect(204);
    expect((await owner.get('/api/me').expect(200)).body.user.mfa_enabled).toBe(false);
    expect((await logIn(owner.email)).body.access_token).toEqual(expect.any(String));
    expect((await disable({ password, code: fresh[1] }).expect(400)).body).toEqual(error('mfa_not_enabled'));
    expect((await owner.post('/api/me/mfa/recovery-codes', { password, code: fresh[1] }).expect(400)).body)
      .toEqual(error('mfa_not_enabled'));
  });

  test('a token that was given before it was switched off is worth nothing', async () => {
    const owner = await protectedOwner();
    const { mfa_token: token } = (await logIn(owner.email)).body;
    await owner.post('/api/me/mfa/disable', { password, code: owner.recoveryCodes[0] }).expect(204);
    expect((await secondStep(token, codeOf(owner.secret)).expect(401)).body).toEqual(error('invalid_mfa_token'));
  });
});
