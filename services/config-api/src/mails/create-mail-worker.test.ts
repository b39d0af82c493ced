import { runContext } from '@sluice/background/test-support';
import { createMemoryConfigStore, createMemoryMailSender, createRecordingLogger, until } from '@sluice/ports/testing';
import { createKeyring, createMetrics, generateKeyringSetting } from '@sluice/service-kit';
import { createMailWorker, type MailWorkerOptions } from './create-mail-worker';
import { createMailer } from './create-mailer';

const waitsMs = [30, 60];
const url = 'http://sluice.test/verify-email?token=secret-token';

function lab(over: Partial<MailWorkerOptions> = {}) {
  const { mails } = createMemoryConfigStore();
  const [sender, logger] = [createMemoryMailSender(), createRecordingLogger()];
  const mailer = createMailer(createKeyring(generateKeyringSetting()));
  const options = { mails, sender, mailer, logger, waitsMs, giveUpMs: 86_400_000, atOnce: 3, ...over };
  const worker = createMailWorker({ ...options, metrics: createMetrics({ service: 'config-api' }) });
  return {
    mails, sender, logger, worker,
    add: async (to: string) => {
      const mail = mailer.write('verify_email', to, { url }, 3_600_000);
      await mails.add(mail);
      return mail;
    },
    /** Runs the worker until something is so. */
    async runUntil(what: string, isSo: () => boolean | Promise<boolean>, context: Parameters<typeof runContext>[0] = {}) {
      const lease = new AbortController();
      const running = worker.run(runContext({ signal: lease.signal, ...context }));
      try {
        await Promise.race([until(what, isSo), running]);
      } finally {
        lease.abort();
        await running.catch(() => undefined);
      }
    },
    ends: async () => (await mails.waiting()).mails === 0,
  };
}

const sentTo = ({ sent }: { sent: readonly { to: string }[] }): string[] => sent.map(({ to }) => to).sort();

test('what waits is sent once, and its text is gone then', async () => {
  const { add, ends, mails, runUntil, sender } = lab();
  const to = Array.from({ length: 8 }, (_, index) => `u${index}@shop.example`);
  for (const address of to) await add(address);
  await runUntil('all are sent', ends);
  await runUntil('nothing is sent again', async () => true);
  expect(sentTo(sender)).toEqual(to);
  expect(sender.sent[0]).toMatchObject({ subject: 'Verify your email address', text: expect.stringContaining(url) });
  expect(await mails.list(null, 100)).toEqual([]);
});

test('what the server puts off is tried again after the waits, as often as it takes', async () => {
  const { add, ends, logger, runUntil, sender } = lab();
  const { id } = await add('ada@shop.example');
  sender.answer('ada@shop.example', { ok: false, permanent: false, reason: 'EENVELOPE 451' });
  await runUntil('it was tried four times', () => sender.tries.length === 4);
  sender.answer('ada@shop.example', null);
  await runUntil('it is sent', ends);
  expect([sender.sent.length, new Set(sender.tries.map((mail) => mail.id))]).toEqual([1, new Set([id])]);
  const waits = logger.lines.filter(({ message }) => message.includes('waits')).map(({ fields }) => fields?.['wait_ms']);
  expect(waits).toEqual([30, 60, 60, 60]);
});

test('what the server refuses for good is not tried again, and says why without the address', async () => {
  const { add, ends, logger, runUntil, sender } = lab();
  await add('gone@shop.example');
  sender.answer('gone@shop.example', { ok: false, permanent: true, reason: 'EENVELOPE 550' });
  await runUntil('it has ended', ends);
  expect([sender.tries.length, sender.sent.length]).toEqual([1, 0]);
  const [line] = logger.lines.filter(({ level }) => level === 'warn');
  expect(line?.fields).toMatchObject({ kind: 'verify_email', reason: 'EENVELOPE 550' });
  expect(JSON.stringify(logger.lines)).not.toMatch(/gone@shop|secret-token/);
});

test('a mail is given up when it was put off for too long', async () => {
  const { add, ends, runUntil, sender } = lab({ giveUpMs: 1_000 });
  await add('ada@shop.example');
  sender.setAway(true);
  await runUntil('it is given up', ends);
  expect(sender.tries.length).toBeGreaterThan(1);
});

test('while the server is away mails wait, one line says so, and all go when it is back', async () => {
  const { add, ends, logger, runUntil, sender } = lab();
  for (const name of ['a', 'b', 'c', 'd']) await add(`${name}@shop.example`);
  sender.setAway(true);
  await runUntil('each was tried', () => sender.tries.length >= 8);
  sender.setAway(false);
  await runUntil('all are sent', ends);
  expect(sentTo(sender)).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}@shop.example`));
  expect(logger.lines.filter(({ level }) => level === 'warn').length).toBe(1);
  expect(logger.lines.map(({ message }) => message)).toContain('mails are sent again');
});

test('a mail that was handed over goes out once, also when that could not be noted', async () => {
  const store = createMemoryConfigStore();
  let failures = 2;
  const mails: MailWorkerOptions['mails'] = {
    ...store.mails,
    end: async (...end) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the store is away');
      return store.mails.end(...end);
    },
  };
  const mailer = createMailer(createKeyring(generateKeyringSetting()));
  const { runUntil, sender } = lab({ mails, mailer });
  await store.mails.add(mailer.write('verify_email', 'ada@shop.example', { url }, 3_600_000));
  const ended = async (): Promise<boolean> => (await store.mails.waiting()).mails === 0;
  for (let run = 0; run < 2; run += 1) await expect(runUntil('it has ended', ended)).rejects.toThrow('the store is away');
  await runUntil('it has ended', ended);
  expect([failures, sender.sent.length]).toEqual([-1, 1]);
});

test('a process that has lost the lease sends nothing', async () => {
  const { add, runUntil, sender } = lab();
  await add('ada@shop.example');
  let asked = 0;
  const isOwned = (): boolean => {
    asked += 1;
    return false;
  };
  await runUntil('it was about to', () => asked > 0, { isOwned });
  expect(sender.tries).toEqual([]);
});

test('a mail whose key is missing waits, and the others go', async () => {
  const { add, mails, runUntil, sender } = lab();
  const stranger = createMailer(createKeyring(generateKeyringSetting()));
  await mails.add(stranger.write('verify_email', 'old@shop.example', { url }, 3_600_000));
  await add('ada@shop.example');
  await runUntil('the other is sent', () => sender.sent.length === 1);
  expect([sentTo(sender), (await mails.waiting()).mails]).toEqual([['ada@shop.example'], 1]);
});
