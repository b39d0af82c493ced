import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '@sluice/ports/testing';
import { createKeyring, generateKeyringSetting } from '@sluice/service-kit';
import { createConfigStore, createPool, createPrisma, migrate } from '@sluice/store-postgres';
import { preparedDatabase, sourceProcess, startMailServer, type TestMailServer } from '@sluice/testkit';
import { createMailer } from './create-mailer';
import { password, startLab } from '../test-support/lab';

let server: TestMailServer;
beforeAll(async () => { server = await startMailServer(); });
afterAll(() => server.stop());

describe('with a mail server', () => {
  let lab: Awaited<ReturnType<typeof startLab>>;
  const mailTo = async (email: string) => {
    await until(`a mail to ${email}`, () => server.arrived.some(({ to }) => to === email));
    return server.arrived.find(({ to }) => to === email)!;
  };
  beforeAll(async () => {
    lab = await startLab({
      SLUICE_SMTP_URL: server.url, SLUICE_MAIL_FROM: 'Sluice <mail@shop.example>', SLUICE_MAIL_RETRY_WAITS: '0.2',
    });
  });
  afterAll(() => lab.stop());

  test('mails go there, and the outbox stays empty', async () => {
    const { email } = await lab.signUp('ada@sending.example');
    const mail = await mailTo(email);
    expect(mail).toMatchObject({ from: 'mail@shop.example', subject: 'Verify your email address' });
    const link = /http:\/\/sluice\.test\/verify-email\?token=[\w-]{43}/.exec(mail.text)![0];
    expect(mail.html).toContain(`href="${link}"`);
    expect(await lab.linksTo(email)).toEqual([]);
    const token = new URL(link).searchParams.get('token');
    await lab.api().post('/api/auth/verify-email').send({ token }).expect(204);
  });

  test('nothing of a mail is left in the database once it is sent', async () => {
    const { email } = await lab.signUp('bob@sending.example');
    await mailTo(email);
    const row = async () => (await lab.pool.query('SELECT * FROM mails WHERE recipient = $1', [email])).rows[0];
    await until('it has ended', async () => (await row()).ended_at !== null);
    expect(await row()).toMatchObject({ sealed: null, end_reason: 'sent', attempts: 1 });
  });

  test('while the server is away requests succeed as ever, and mails arrive once it is back', async () => {
    await server.stop();
    const { email } = await lab.signUp('carl@sending.example');
    await lab.api().post('/api/auth/password-reset').send({ email }).expect(202);
    await lab.api().post('/api/auth/login').send({ email, password }).expect(200);
    const tried = async () => (await lab.pool.query('SELECT min(attempts) n FROM mails WHERE recipient = $1', [email])).rows[0].n;
    await until('they were tried', async () => (await tried()) > 1);
    expect(await lab.linksTo(email)).toEqual([]);
    await server.start();
    await until('both arrive', () => server.arrived.filter(({ to }) => to === email).length === 2);
  });
});

test('mails that waited in the outbox are sent once a server is set', async () => {
  const first = await startLab();
  const { email } = await first.signUp('dora@sending.example');
  expect(await first.linksTo(email)).toHaveLength(1);
  const second = await startLab({ ...first.secrets, SLUICE_SMTP_URL: server.url }, first.database);
  await until('it arrives', () => server.arrived.some(({ to }) => to === email));
  await second.stop();
  await first.stop();
});

test('however often the process that sends is killed, every mail arrives; twice only what was under way', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const { mails } = createConfigStore(prisma);
  const keys = generateKeyringSetting();
  const mailer = createMailer(createKeyring(keys));
  const addresses = Array.from({ length: 90 }, (_, index) => `killed${index}@sending.example`);
  for (const to of addresses) {
    await mails.add(mailer.write('verify_email', to, { url: 'http://sluice.test/?token=t' }, 3_600_000));
  }
  const mine = () => server.arrived.filter(({ to }) => to.startsWith('killed'));
  const start = (): ChildProcess =>
    sourceProcess(join(__dirname, '../test-support/mail-process.ts'), [database.url, server.url, keys]);
  const kills = 4;
  let child = start();
  for (let kill = 1; kill <= kills; kill += 1) {
    await until('it sends', () => mine().length >= kill * 15, 60_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    child = start();
  }
  await until('all have ended', async () => (await mails.waiting()).mails === 0, 60_000);
  child.kill('SIGKILL');
  await prisma.$disconnect();
  await pool.end();
  await database.drop();
  expect(new Set(mine().map(({ to }) => to))).toEqual(new Set(addresses));
  const ids = new Set(mine().map(({ messageId }) => messageId));
  expect(ids.size).toBe(addresses.length);
  // Three go out at the same time; each kill may hide the server's answer to them.
  expect(mine().length - ids.size).toBeLessThanOrEqual(kills * 3);
}, 240_000);
