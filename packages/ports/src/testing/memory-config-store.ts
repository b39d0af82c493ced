import type { ConfigStore, OutboxStore, Role } from '../config-store';
import { StoreUnavailable } from '../run-store';
import { createMemoryAudit, recorded } from './memory-config-audit';
import { createMemoryAccounts, createMemoryOrganizations } from './memory-config-accounts';
import { createMemoryConnectors, createMemoryCredentials } from './memory-config-connectors';
import { createMemoryDrafts } from './memory-config-drafts';
import { copy, emptyConfigState, type MemoryConfigState } from './memory-config-state';

/** Twin of the config store, with what a test may want beside it. */
export interface MemoryConfigStore extends ConfigStore {
  /** Identity mappings are the flow-runner's; here a number stands for them. */
  setMappings(connectorId: string, count: number): void;
  mappings(connectorId: string): number;
  /** No route makes members yet. */
  addMember(organizationId: string, userId: string, role: Role): void;
  /** What is sealed of a credential. */
  sealedOf(credentialId: string): string | null;
  /** While it is down every method throws `StoreUnavailable`. */
  setDown(down: boolean): void;
}

/** Every change is one step that nothing interrupts, as a transaction is: checks come before the first write. */
export function createMemoryConfigStore(): MemoryConfigStore {
  const state = emptyConfigState();
  let down = false;
  const guarded = <T extends object>(store: T): T => Object.fromEntries(Object.entries(store).map(([name, method]) => [name, async (...args: unknown[]) => {
    if (down) throw new StoreUnavailable('the config store is down');
    return recorded(state, name, await (method as (...given: unknown[]) => Promise<unknown>)(...args));
  }])) as T;
  return {
    accounts: guarded(createMemoryAccounts(state)),
    organizations: guarded(createMemoryOrganizations(state)),
    connectors: guarded(createMemoryConnectors(state)),
    credentials: guarded(createMemoryCredentials(state)),
    drafts: guarded(createMemoryDrafts(state)),
    mails: guarded({
      add: async (mail) => void state.mails.unshift({ ...copy(mail), sentAt: new Date() }),
      list: async (to, limit) => copy(state.mails.filter((mail) => to === null || mail.to === to).slice(0, limit)),
    } satisfies ConfigStore['mails']),
    outbox: guarded(createMemoryOutbox(state)),
    audit: guarded(createMemoryAudit(state)),
    setMappings: (connectorId, count) => { state.connectors.get(connectorId)!.mappings = count; },
    mappings: (connectorId) => state.connectors.get(connectorId)?.mappings ?? 0,
    addMember: (organizationId, userId, role) => void state.memberships.push({ organizationId, userId, role }),
    sealedOf: (credentialId) => state.credentials.get(credentialId)?.sealed ?? null,
    setDown: (next) => { down = next; },
  };
}

function createMemoryOutbox(state: MemoryConfigState): OutboxStore {
  let draining = false;
  return {
    async drain(limit, publish) {
      if (draining) return 'busy';
      const some = state.outbox.slice(0, limit);
      if (some.length === 0) return 0;
      draining = true;
      try {
        if (!(await publish(some.map(({ message }) => copy(message))))) return 0;
        state.outbox.splice(0, some.length);
        return some.length;
      } finally {
        draining = false;
      }
    },
    backlog: async () => ({ waiting: state.outbox.length, oldestMs: state.outbox[0] ? Math.max(0, Date.now() - state.outbox[0].at) : 0 }),
  };
}
