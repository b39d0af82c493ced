import { BackgroundRunner } from '@sluice/background';
import { createSmtpMailSender } from '@sluice/mail-smtp';
import { silentLogger } from '@sluice/ports';
import { createKeyring, createMetrics, createMonotonicClock } from '@sluice/service-kit';
import { createConfigStore, createPool, createPrisma, createTaskStore } from '@sluice/store-postgres';
import { createMailer } from '../mails/create-mailer';
import { createMailWorker } from '../mails/create-mail-worker';

/** A process that sends mails, which a test kills. Arguments: the database, the mail server, the encryption keys. */
const [databaseUrl = '', url = '', keys = ''] = process.argv.slice(3);
const pool = createPool(databaseUrl);
const metrics = createMetrics({ service: 'test' });
const worker = createMailWorker({
  mails: createConfigStore(createPrisma(pool)).mails,
  sender: createSmtpMailSender({ url, from: 'mail@sluice.test', connections: 3 }),
  mailer: createMailer(createKeyring(keys)), logger: silentLogger, metrics, waitsMs: [100], giveUpMs: 3_600_000, atOnce: 3,
});
const runner = new BackgroundRunner({
  tasks: createTaskStore(pool), workers: [worker], owner: 'a process', takeOver: true, logger: silentLogger, metrics,
  monotonicNow: createMonotonicClock(), pollMs: 20,
});
runner.start();
process.on('disconnect', () => process.exit(0));
