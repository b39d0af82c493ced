import { password, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const logIn = (email: string, headers: object) =>
  lab.api().post('/api/auth/login').set(headers as Record<string, string>).send({ email, password });

test('a page of another site signs nobody in or out', async () => {
  const { email } = await lab.owner();
  const refused = [
    { origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://sluice.test:81', 'sec-fetch-site': 'same-origin' }, { origin: 'http://sluice.test.evil.example' },
  ];
  for (const headers of refused) {
    const answer = await logIn(email, headers).expect(403);
    expect([answer.body, answer.headers['set-cookie']]).toEqual([{ detail: 'CSRF validation failed' }, undefined]);
  }
  const origin = { origin: 'https://evil.example' };
  for (const path of ['signup', 'refresh', 'logout', 'verify-email', 'resend-verification', 'password-reset']) {
    await lab.api().post(`/api/auth/${path}`).set(origin).send({}).expect(403);
  }
  await lab.api().post('/api/invitations/made-up/accept').set(origin).send({}).expect(403);
});

test('pages of the installation, of its domain, and callers that are no browser sign in', async () => {
  const { email } = await lab.owner();
  const { host } = new URL((await logIn(email, {}).expect(200)).request.url);
  const taken = [
    { origin: 'http://sluice.test' }, { origin: `http://${host}`, host }, { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' }, { origin: 'https://console.shop.example', 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of taken) await logIn(email, headers).expect(200);
});

test('a body that a form could send is refused, an empty one is not', async () => {
  const { email } = await lab.owner();
  const text = JSON.stringify({ email, password });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/merge-patch+json']) {
    const answer = await lab.api().post('/api/auth/login').set('content-type', type).send(text).expect(415);
    expect(answer.body).toEqual({ detail: 'Unsupported content type' });
  }
  await lab.api().post('/api/auth/login').set('content-type', 'Application/JSON; charset=utf-8').send(text).expect(200);
  await lab.api().post('/api/auth/logout').set('content-type', 'text/plain').expect(204);
  const chunked = lab.api().post('/api/auth/login').set({ 'transfer-encoding': 'chunked', 'content-type': 'text/plain' });
  chunked.write(text);
  await chunked.expect(415);
});
