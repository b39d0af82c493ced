import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@sluice/background';
import { createVerifyThreads, createVerifyUnits, verifyThreadsOf, verifyWorker } from '@sluice/event-verify';
import { createMonotonicClock } from '@sluice/service-kit';
import type { Parts, ProductContext } from '@sluice/service-parts';
import type { ConfigApiSettings } from '../settings';

type VerifyParts = Pick<Parts, 'crm' | 'configReader' | 'records' | 'blobs' | 'requests'> & {
  runStore: Pick<Parts['runStore'], 'mappings' | 'haveNewerRemovals'>;
};

/** Milliseconds that a read of the CRM may take. */
const crmTimeoutMs = 10_000;
/** Events that are verified at the same time, for each thread: most of the time they wait for the CRM. */
const placesPerThread = 4;

/**
 * Verifies events for the services that must not have the keys which open the credentials of the CRM. Reads count within the
 * portal's budget, which all callers share. Adds its threads to the lifecycle.
 */
export function verifyWork(parts: VerifyParts, context: ProductContext<ConfigApiSettings>): Worker {
  const { crm: client, configReader: reader, runStore: store, records, blobs, requests } = parts;
  const { settings, logger, metrics, lifecycle, portalBudget: budget } = context;
  const monotonicNow = createMonotonicClock();
  const threads = createVerifyThreads({ ...verifyThreadsOf(settings, settings.rateLimitScale), logger, metrics, monotonicNow });
  lifecycle.add('verify threads', () => undefined, () => threads.stop());
  const crm = { client, reader, budget, store, monotonicNow, sleep: (ms: number) => sleep(ms), callTimeoutMs: crmTimeoutMs };
  const verifyUnits = createVerifyUnits({ crm, records, blobs, connectorReader: reader, threads });
  return verifyWorker({ requests, connectors: reader, verifyUnits, places: settings.verifyThreads * placesPerThread });
}
