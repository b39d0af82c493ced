import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@sluice/background';
import { createVerifyEach, createVerifyThreads, verifyThreadsOf } from '@sluice/event-verify';
import { createMonotonicClock } from '@sluice/service-kit';
import type { Parts, ProductContext } from '@sluice/service-parts';
import type { WorkerCode } from '@sluice/work-threads';
import type { ConfigApiSettings } from '../../settings';
import { verificationSweep } from './verification-sweep';
import { verificationWorker } from './verification-worker';

type VerificationParts = Pick<Parts, 'crm' | 'configReader' | 'records' | 'blobs' | 'verifications'> & {
  runStore: Pick<Parts['runStore'], 'mappings' | 'haveNewerRemovals'>;
};

/** Milliseconds that a read of the CRM may take. */
const crmTimeoutMs = 10_000;

/**
 * The workers of verifications. Flows run again in a thread of their own, without a budget per minute: verifications wait for
 * each other, and no request waits for them. It starts with the first verification; the lifecycle ends it.
 */
export function verificationWorkers(
  { crm: client, configReader: reader, runStore: store, records, blobs, verifications }: VerificationParts,
  { settings, logger, metrics, lifecycle, portalBudget: budget }: ProductContext<ConfigApiSettings>,
  worker: WorkerCode | undefined,
): Worker[] {
  const monotonicNow = createMonotonicClock();
  const { timeLimitMs } = verifyThreadsOf(settings, 0);
  const own = { threads: 1, timeLimitMs, budgetMsPerMinute: null, worker };
  const threads = createVerifyThreads({ ...own, logger, metrics, monotonicNow });
  lifecycle.add('verification threads', () => undefined, () => threads.stop());
  const crm = { client, reader, budget, store, monotonicNow, sleep: (ms: number) => sleep(ms), callTimeoutMs: crmTimeoutMs };
  const verifyEach = createVerifyEach({ crm, records, blobs, connectorReader: reader, threads });
  const { workerTickMs: everyMs, historyRetentionMs } = settings;
  return [
    verificationWorker({ verifications, configReader: reader, verifyEach, crm }),
    verificationSweep(verifications, { everyMs, historyRetentionMs }),
  ];
}
