import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type CrmAccess, monotonicClock, storeClock } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryRunStore } from '@sluice/ports/testing';
import { createActivity } from '../batching/activity';
import { type CrmWriter, createCrmWriter, type CrmWriterDeps } from '../crm-writer';
import type { SimulatedCrm } from './simulated-crm';

/** What a test gives a writer in place of stores in memory, clocks of the process, and a portal without limits. */
export interface WriterChanges extends Partial<Omit<CrmWriterDeps, 'files'>> {
  files?: Partial<CrmWriterDeps['files']>;
}

/** A writer with empty caches, to the portal that `access` opens. */
export function testWriter(client: SimulatedCrm['client'], access: CrmAccess,
  { files, ...changes }: WriterChanges = {}): CrmWriter {
  const credential = { credentialId: 'credential', ...access, expiresAt: null };
  return createCrmWriter({
    client,
    activity: createActivity(),
    store: createMemoryRunStore(),
    maxInFlight: 10,
    rememberedMappings: 10,
    claimTimes: { searchLagMs: 0, sendWithinMs: 10_000, landsWithinMs: 10_000, abandonedAfterMs: 60_000 },
    callTimeoutMs: 5_000,
    // Starts at 0, as the clock of a process does: it is no time that anything may be dated with.
    monotonicNow: monotonicClock(() => performance.now()),
    storeNow: storeClock(Date.now),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    insideLease: () => Promise.resolve(true),
    observer: { called: () => undefined },
    budget: {
      take: () => Promise.resolve(0),
      apply: () => undefined,
      refused: () => undefined,
      ranDry: () => undefined,
      dryForMs: () => 0,
    },
    reader: { crmAccess: () => Promise.resolve(credential), refreshCrmAccess: () => Promise.resolve(credential) },
    ...changes,
    files: {
      client,
      kv: createMemoryKeyValue(),
      blobs: createMemoryBlobStore(),
      maxBytes: 1_048_576,
      rememberMs: 60_000,
      downloads: { read: () => Promise.resolve({ ok: true, value: Buffer.from('from the shop') }) },
      ...files,
    },
  });
}
