import { createCrmHttpClient } from '@sluice/crm-http';
import { createCrmSimulator, defaultPortalId, type PortalState, type SimulatorState } from '@sluice/crm-simulator';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type CrmAccess, monotonicClock, storeClock } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryRunStore } from '@sluice/ports/testing';
import { type Activity, createActivity } from '../batching/activity';
import { type CrmWriter, createCrmWriter, type CrmWriterDeps } from '../crm-writer';

/** A portal of the CRM simulator, with the real client and writer over HTTP. */
export interface TestPortal {
  readonly url: string;
  readonly client: ReturnType<typeof createCrmHttpClient>;
  readonly access: CrmAccess;
  /** The binding of units to it. */
  readonly binding: { credentialId: string; portalId: string; epoch: number };
  /** Its contents; empty after each reset. */
  state(): PortalState;
  reset(): void;
  /** Calls that it fits fail so, until the next reset. */
  fault(fault: Partial<Parameters<SimulatorState['faults']['add']>[0]>): void;
  /** A new writer with empty caches. */
  writer(changes?: WriterChanges): TestWriter;
  close(): Promise<void>;
}

interface WriterChanges extends Partial<Omit<CrmWriterDeps, 'files'>> {
  files?: Partial<CrmWriterDeps['files']>;
}

export interface TestWriter {
  writer: CrmWriter;
  activity: Activity;
  /** Runs work as the only active unit. */
  active<T>(work: () => Promise<T>): Promise<T>;
}

const portalId = String(defaultPortalId);
const access = { portalId, accessToken: `sim-access-${portalId}` };
const binding = { credentialId: 'credential', portalId, epoch: 1 };
const credential = { credentialId: binding.credentialId, ...access, expiresAt: null };
const plainFault = { headers: {}, delayMs: 0, drop: false, afterWrite: false, probability: 1 };

export async function startTestPortal(): Promise<TestPortal> {
  const simulator = createCrmSimulator();
  const { url } = await simulator.start(0);
  const client = createCrmHttpClient({ baseUrl: url, clientId: 'app', clientSecret: 'the-client-secret' });
  return {
    url,
    client,
    access,
    binding,
    state: () => simulator.state.portals.get(defaultPortalId)!,
    reset: () => simulator.state.reset(),
    fault: (fault) => void simulator.state.faults.add({ ...plainFault, ...fault }),
    writer: ({ files, ...changes } = {}) => {
      const activity = createActivity();
      const writer = createCrmWriter({
        client,
        activity,
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
      const active = async <T,>(work: () => Promise<T>): Promise<T> => {
        activity.enter();
        return work().finally(() => activity.leave());
      };
      return { writer, activity, active };
    },
    close: async () => {
      await client.close();
      await simulator.stop();
    },
  };
}
