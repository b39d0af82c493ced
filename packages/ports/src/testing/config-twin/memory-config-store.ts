import type { ConfigStore, IdentityMappingRow, OutboxOutcome, OutboxStore, Role } from '../../config-store';
import type { PluginWorkStore } from '../../plugins/plugin-work-store';
import type { CrmJournalStore } from '../../sources/crm-journal-store';
import type { SourceReadStore } from '../../sources/source-read-store';
import { StoreUnavailable } from '../../shared/store-unavailable';
import type { Fence } from '../../tasks/task-store';
import { createMemoryAudit, recorded } from './memory-config-audit';
import { createMemoryAccounts } from './memory-config-accounts';
import { createMemoryBilling } from './memory-config-billing';
import { createMemoryCompatKeys } from './memory-config-compat-keys';
import { createMemoryConnectors, createMemoryCredentials } from './memory-config-connectors';
import { createMemoryDrafts } from './memory-config-drafts';
import { createMemoryIdentities } from './memory-config-identities';
import { createMemoryInstalls } from './memory-config-installs';
import { createMemoryMailTokens } from './memory-config-mail-tokens';
import { createMemoryMails } from './memory-config-mails';
import { createMemoryMappings } from './memory-config-mappings';
import { createMemoryInvitations, createMemoryMembers } from './memory-config-members';
import { createMemoryOrganizations } from './memory-config-organizations';
import { createMemorySecondFactors } from './memory-config-second-factors';
import { createMemoryPluginRuns, type MemoryPluginRuns } from '../run-store/memory-plugin-runs';
import { createMemoryPluginStore } from '../plugins/memory-plugin-store';
import { createMemoryPluginWork } from '../plugins/memory-plugin-work';
import { createMemorySources } from './memory-config-sources';
import { createMemoryCrmJournal } from '../sources/memory-crm-journal';
import { createMemorySourceReads } from '../sources/memory-source-reads';
import { emptyConfigState, memorySourcesOf, type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';
import { createMemoryTaskStore, type MemoryTaskStore } from '../stores/memory-task-store';
import type { WriteCapStore } from '../../run-store/write-cap-store';

/** Twin of the config store, with what a test may want beside it. */
export interface MemoryConfigStore extends ConfigStore {
  /** Identity mappings are the flow-runner's: these stand for them, `C-1` and so on of the entity `customer`. */
  setMappings(connectorId: string, count: number): void;
  mappingCount(connectorId: string): number;
  addMember(organizationId: string, userId: string, role: Role): void;
  writeCaps: WriteCapStore;
  /** Whether events of a connector wait because of its write cap. */
  setWaiting(connectorId: string, waits: boolean): void;
  /** What is sealed of a credential. */
  sealedOf(credentialId: string): string | null;
  /** What plugin-deployer and runs of plugins keep on the same data. */
  pluginWork: PluginWorkStore;
  pluginRuns: MemoryPluginRuns;
  /** What those who read sources, and the journal of the CRM, keep on the same data. */
  sourceReads: SourceReadStore;
  crmJournal: CrmJournalStore;
  /** While it is down every method throws `StoreUnavailable`. */
  setDown(down: boolean): void;
}

export interface MemoryConfigOptions {
  /** Throws `FenceLost` for a run whose task has passed to another one. Default: every run has its task. */
  assertFence?(fence: Fence): void;
  /** Becomes due there what changes need in the background. */
  tasks?: MemoryTaskStore;
}

/** Every change is one step that nothing interrupts, as a transaction is: checks come before the first write. */
export function createMemoryConfigStore(
  { assertFence = () => undefined, tasks = createMemoryTaskStore() }: MemoryConfigOptions = {},
): MemoryConfigStore {
  const state = emptyConfigState((task) => void tasks.wake([task]));
  let down = false;
  const guarded = <T extends object>(store: T): T =>
    Object.fromEntries(
      Object.entries(store).map(([name, method]) => [
        name,
        async (...args: unknown[]) => {
          if (down) throw new StoreUnavailable('the config store is down');
          return recorded(state, name, await (method as (...given: unknown[]) => Promise<unknown>)(...args));
        },
      ]),
    ) as T;
  return {
    accounts: guarded(createMemoryAccounts(state)),
    organizations: guarded(createMemoryOrganizations(state)),
    billing: guarded(createMemoryBilling(state)),
    connectors: guarded(createMemoryConnectors(state)),
    compatKeys: guarded(createMemoryCompatKeys(state)),
    credentials: guarded(createMemoryCredentials(state)),
    installs: guarded(createMemoryInstalls(state)),
    drafts: guarded(createMemoryDrafts(state)),
    mappings: guarded(createMemoryMappings(state)),
    plugins: guarded(createMemoryPluginStore(state)),
    sources: guarded(createMemorySources(state)),
    members: guarded(createMemoryMembers(state)),
    invitations: guarded(createMemoryInvitations(state)),
    mailTokens: guarded(createMemoryMailTokens(state)),
    identities: guarded(createMemoryIdentities(state)),
    secondFactors: guarded(createMemorySecondFactors(state)),
    mails: guarded(createMemoryMails(state, assertFence)),
    outbox: guarded(createMemoryOutbox(state)),
    audit: guarded(createMemoryAudit(state)),
    ...guarded({ storeTime: async () => new Date() }),
    setMappings: (connectorId, count) => {
      const rows = Array.from({ length: count }, (_, index): [string, IdentityMappingRow] => {
        const externalId = `C-${index + 1}`;
        return [JSON.stringify(['customer', externalId]), {
          entity: 'customer', externalId, objectType: 'contacts', crmId: String(index + 1),
        }];
      });
      state.connectors.get(connectorId)!.mappings = new Map(rows);
    },
    mappingCount: (connectorId) => state.connectors.get(connectorId)?.mappings.size ?? 0,
    addMember: (organizationId, userId, role) => void state.memberships.push(
      { organizationId, userId, role, joinedAt: new Date() },
    ),
    writeCaps: state.writeCaps,
    setWaiting: (connectorId, waits) => void (waits ? state.waiting.add(connectorId) : state.waiting.delete(connectorId)),
    sealedOf: (credentialId) => state.credentials.get(credentialId)?.sealed ?? null,
    pluginWork: createMemoryPluginWork({ state, assertFence: (fence) => tasks.assertFence(fence), isDown: () => down }),
    pluginRuns: createMemoryPluginRuns(state.plugins),
    sourceReads: createMemorySourceReads(memorySourcesOf(state), assertFence),
    crmJournal: createMemoryCrmJournal(memorySourcesOf(state), assertFence),
    setDown: (next) => { down = next; },
  };
}

type Entry = MemoryConfigState['outbox'][number];

function createMemoryOutbox(state: MemoryConfigState): OutboxStore {
  let draining = false;
  const waiting = () => state.outbox.filter((entry) => !entry.setAside);
  const settle = ({ published, setAside }: OutboxOutcome): number => {
    const at = new Date();
    for (const { id, reason } of setAside) state.outbox.find(({ message }) => message.id === id)!.setAside = { reason, at };
    const gone = state.outbox.filter(({ message }) => published.includes(message.id)).map(({ message }) => message);
    const supersedes = ({ message }: Entry): boolean =>
      gone.some(({ id, topic, key }) => topic === message.topic && key === message.key && id > message.id);
    const leaves = (entry: Entry): boolean => published.includes(entry.message.id) || (!!entry.setAside && supersedes(entry));
    state.outbox = state.outbox.filter((entry) => !leaves(entry));
    return published.length + setAside.length;
  };
  return {
    async drain(limit, publish) {
      if (draining) return 'busy';
      const some = waiting().slice(0, limit);
      if (some.length === 0) return 0;
      draining = true;
      try {
        return settle(await publish(some.map(({ message }) => copy(message))));
      } finally {
        draining = false;
      }
    },
    backlog: async () => {
      const [first] = waiting();
      const oldestMs = first ? Math.max(0, Date.now() - first.at) : 0;
      return { waiting: waiting().length, oldestMs, setAside: state.outbox.length - waiting().length };
    },
    newestWaiting: async (upTo) =>
      waiting().findLast(({ message }) => upTo === undefined || message.id <= upTo)?.message.id ?? null,
    setAside: async (limit) => {
      const rows = state.outbox.flatMap(({ message: { payload, ...message }, setAside }) =>
        (setAside ? [{ ...message, ...setAside, bytes: Buffer.byteLength(JSON.stringify(payload)) }] : []));
      return rows.reverse().slice(0, limit);
    },
  };
}
