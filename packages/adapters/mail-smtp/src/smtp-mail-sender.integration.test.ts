import type { OutgoingMail } from '@sluice/ports';
import { mailSenderConformance } from '@sluice/ports/testing';
import { type MailServerOptions, startMailServer, testCertificate, type TestMailServer } from '@sluice/testkit';
import { createSmtpMailSender, type SmtpMailSenderOptions } from './create-smtp-mail-sender';

const from = 'Sluice <mail@sluice.test>';

mailSenderConformance('SMTP', async () => {
  const server = await startMailServer();
  const sender = createSmtpMailSender({ url: server.url, from });
  return {
    sender,
    received: async () => [...server.arrived],
    refuse: (to, how) => server.answer(to, how === 'later' ? 'later' : 'refuse'),
    setAway: (away) => (away ? server.stop() : server.start()),
    close: async () => {
      await sender.close();
      await server.stop();
    },
  };
});

const mail: OutgoingMail = {
  id: '0b5f3a52-7c1e-4a08-9d43-5a5c6f0f6f10', to: 'ada@shop.example', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>',
  writtenAt: new Date('2026-03-04T05:06:07Z'),
};

/** Runs a test with a server and a sender for it, and closes both. */
async function withServer(
  server: MailServerOptions,
  sender: (server: TestMailServer) => Partial<SmtpMailSenderOptions>,
  test: (parts: { server: TestMailServer; send: (over?: Partial<OutgoingMail>) => Promise<unknown> }) => Promise<void>,
): Promise<void> {
  const running = await startMailServer(server);
  const created = createSmtpMailSender({ url: running.url, from, ...sender(running) });
  try {
    await test({ server: running, send: (over) => created.send({ ...mail, ...over }) });
  } finally {
    await created.close();
    await running.stop();
  }
}

test('a mail names its sender, is known as written by a program, and carries nothing that its texts bring along', async () => {
  await withServer({}, () => ({}), async ({ server, send }) => {
    await send({ subject: 'Hi\r\nBcc: eve@evil.example' });
    const [{ from: sender, headers, messageId, to }] = server.arrived as [TestMailServer['arrived'][0]];
    expect([sender, headers['auto-submitted'], headers['bcc'], to]).toEqual([
      'mail@sluice.test', 'auto-generated', undefined, 'ada@shop.example',
    ]);
    expect(messageId).toBe(`<${mail.id}@sluice.test>`);
  });
});

test.each(['ada@shop.example, eve@evil.example', 'ada@shop.example\r\nRCPT TO:<eve@evil.example>', 'no address'])(
  'an address is one address: %j',
  (to) => withServer({}, () => ({}), async ({ server, send }) => {
    await send({ to });
    const toOthers = server.arrived.filter((arrived) => arrived.to.includes('eve@evil.example') && !arrived.to.includes('ada'));
    expect(toOthers).toEqual([]);
    expect(server.arrived.flatMap((arrived) => arrived.to.split(',')).length).toBeLessThanOrEqual(1);
  }),
);

test('signs in; a wrong password is tried again later, because it is the operator who mends it', async () => {
  const user = { name: 'sluice@mail', password: 'p@ss:w/rd' };
  const as = (password: string) => ({ port }: TestMailServer) =>
    ({ url: `smtp://${encodeURIComponent(user.name)}:${encodeURIComponent(password)}@127.0.0.1:${port}` });
  await withServer({ user }, as(user.password), async ({ server, send }) => {
    expect(await send()).toEqual({ ok: true });
    expect(server.arrived).toMatchObject([{ user: user.name }]);
  });
  await withServer({ user }, as('wrong'), async ({ server, send }) => {
    expect(await send()).toMatchObject({ ok: false, permanent: false, reason: 'EAUTH 535' });
    expect(server.arrived).toEqual([]);
  });
});

test('speaks TLS from the start, and turns to it where it is offered', async () => {
  await withServer({ secure: true }, () => ({}), async ({ server, send }) => {
    expect([await send(), server.arrived]).toMatchObject([{ ok: true }, [{ secure: true }]]);
  });
  await withServer({ startTls: true }, () => ({}), async ({ server, send }) => {
    expect([await send(), server.arrived]).toMatchObject([{ ok: true }, [{ secure: true }]]);
  });
});

test('trusts the authority that it is given, and no other', async () => {
  const [certificate, other] = [await testCertificate(), await testCertificate()];
  const server = { secure: true, certificate };
  const knowing = (ca: string) => ({ port }: TestMailServer) => ({ url: `smtps://localhost:${port}`, tls: { ca } });
  await withServer(server, knowing(certificate.cert), async ({ server: { arrived }, send }) => {
    expect([await send(), arrived.length]).toEqual([{ ok: true }, 1]);
  });
  await withServer(server, knowing(other.cert), async ({ server: { arrived }, send }) => {
    expect([await send(), arrived.length]).toMatchObject([{ ok: false, permanent: false }, 0]);
  });
});

test('uses its connections again, and no more than it may', async () => {
  await withServer({}, () => ({ connections: 2 }), async ({ server, send }) => {
    await Promise.all(Array.from({ length: 20 }, () => send()));
    expect([server.arrived.length, server.connections()]).toEqual([20, 2]);
  });
});

test('waits for a silent server no longer than it may', async () => {
  await withServer({}, () => ({ silenceMs: 300 }), async ({ server, send }) => {
    server.answer(null, 'silent');
    expect(await send()).toMatchObject({ ok: false, permanent: false });
  });
});
