import { defaultPortalId, type PortalState, type SimulatorState } from '@sluice/crm-simulator';
import type { CrmAccess } from '@sluice/ports';
import { type Activity, createActivity } from '../batching/activity';
import type { CrmWriter } from '../crm-writer';
import { type SimulatedCrm, startSimulatedCrm } from './simulated-crm';
import { testWriter, type WriterChanges } from './test-writer';

/** A portal of the CRM simulator, with the real client and writer over HTTP. */
export interface TestPortal {
  readonly url: string;
  readonly client: SimulatedCrm['client'];
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

export interface TestWriter {
  writer: CrmWriter;
  activity: Activity;
  /** Runs work as the only active unit. */
  active<T>(work: () => Promise<T>): Promise<T>;
}

const portalId = String(defaultPortalId);
const access = { portalId, accessToken: `sim-access-${portalId}` };
const binding = { credentialId: 'credential', portalId, epoch: 1 };
const plainFault = { headers: {}, delayMs: 0, drop: false, afterWrite: false, probability: 1 };

export async function startTestPortal(): Promise<TestPortal> {
  const { simulator, url, client, close } = await startSimulatedCrm();
  return {
    url,
    client,
    access,
    binding,
    state: () => simulator.state.portals.get(defaultPortalId)!,
    reset: () => simulator.state.reset(),
    fault: (fault) => void simulator.state.faults.add({ ...plainFault, ...fault }),
    writer: (changes = {}) => {
      const activity = changes.activity ?? createActivity();
      const writer = testWriter(client, access, { ...changes, activity });
      const active = async <T,>(work: () => Promise<T>): Promise<T> => {
        activity.enter();
        return work().finally(() => activity.leave());
      };
      return { writer, activity, active };
    },
    close,
  };
}
