import { createEmbeddedBus } from '@sluice/bus-embedded';
import { createCrmHttpClient } from '@sluice/crm-http';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { createMemoryBlobStore } from '@sluice/ports/testing';
import { createKeyring, parseSettings } from '@sluice/service-kit';
import { testContext } from '@sluice/service-parts/test-support';
import {
  createConfigReader, createCrmJournalStore, createEventIndex, createPool, createPrisma, createRunStore, createSourceFileStore,
  createSourceReadStore, createTaskStore,
} from '@sluice/store-postgres';
import { composeJournalPoller } from '../compose';
import { journalPollerSettings } from '../settings';

/** A journal-poller on a database, with its bus there too, which a test kills. Arguments: the database, the encryption keys. */
const [databaseUrl = '', encryptionKeys = ''] = process.argv.slice(3);
const settings = parseSettings(journalPollerSettings, {
  SLUICE_ENCRYPTION_KEYS: encryptionKeys, SLUICE_ALLOW_PRIVATE_TARGETS: 'on', SLUICE_WORKER_TICK: '0.05',
});
const pool = createPool(databaseUrl);
const prisma = createPrisma(pool);
const context = testContext('journal-poller', settings);
composeJournalPoller({
  bus: createEmbeddedBus({ connectionString: databaseUrl }), kv: createMemoryKeyValue(), blobs: createMemoryBlobStore(),
  tasks: createTaskStore(pool), eventIndex: createEventIndex(pool), sourceReads: createSourceReadStore(pool),
  sourceFiles: createSourceFileStore(pool, prisma),
  crm: createCrmHttpClient({ baseUrl: 'http://127.0.0.1:9', clientId: '', clientSecret: '' }),
  crmJournal: createCrmJournalStore(pool), runStore: createRunStore(pool),
  configReader: createConfigReader(prisma, createKeyring(encryptionKeys)),
}, context);
void context.lifecycle.start();
process.on('disconnect', () => process.exit(0));
