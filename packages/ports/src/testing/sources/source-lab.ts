import { randomUUID } from 'node:crypto';
import type { OrganizationState, SourceType } from '@sluice/contracts';
import type { ConfigStore, SourceState } from '../../config-store';
import type { CrmJournalStore } from '../../sources/crm-journal-store';
import type { SourceReadStore } from '../../sources/source-read-store';
import type { Fence, TaskStore } from '../../tasks/task-store';

/** Stores of what is read, on the same data as the config store that publishes the sources. */
export interface SourceLab {
  config: ConfigStore;
  reads: SourceReadStore;
  journal: CrmJournalStore;
  /** The tasks whose runs write with a fence. */
  tasks: TaskStore;
  close(): Promise<void>;
}

function good<T extends { ok: boolean }>(answer: T): Extract<T, { ok: true }> {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Extract<T, { ok: true }>;
}

/** A connector of a lab with published sources. */
export class LabConnector {
  private version = 0;

  private constructor(private readonly lab: SourceLab, readonly id: string, readonly organizationId: string) {}

  /** In an organization of its own. */
  static async create(lab: SourceLab, ...sources: [SourceType, string][]): Promise<LabConnector> {
    const { organizationId } = good(await lab.config.accounts.create(
      { email: `${randomUUID()}@shop.example`, passwordHash: 'hash', organizationName: 'Shop', tier: 'enterprise' },
    ));
    const { connector } = good(await lab.config.connectors.create({
      organizationId, name: 'Shop', mode: 'live', credentialId: null, createdById: null, apiKey: null, connectorsLimit: null,
    }));
    const made = new LabConnector(lab, connector.id, organizationId);
    await made.publish(...sources);
    return made;
  }

  async publish(...sources: [SourceType, string][]): Promise<void> {
    good(await this.lab.config.drafts.publish({
      connectorId: this.id, config: {}, flows: [], sources: sources.map(([type, name]) => ({ type, name, sealed: null })),
      baseVersion: this.version, changeSummary: null, publishedBy: null, eventSourcesLimit: null, writeCapLimit: 500,
    }));
    this.version += 1;
  }

  /** Binds it to a portal. */
  async bind(portalId: string): Promise<void> {
    const { credential } = good(await this.lab.config.credentials.create({
      id: randomUUID(), organizationId: this.organizationId, name: `portal ${portalId}`, credentialType: 'crm_oauth', portalId,
      sealed: 'sealed', createdById: null, portalsLimit: null,
    }));
    const change = { credentialId: credential.id, confirmRebind: true, updatedById: null };
    good(await this.lab.config.connectors.update(this.organizationId, this.id, change));
  }

  async enable(name: string, enabled: boolean): Promise<void> {
    await this.lab.config.sources.setEnabled(this.id, name, enabled);
  }

  /** Its organization is in another state. */
  async organizationIs(state: OrganizationState): Promise<void> {
    await this.lab.config.organizations.update(this.organizationId, { state, recoveryMs: 60_000 });
  }

  async delete(): Promise<void> {
    await this.lab.config.connectors.delete(this.organizationId, this.id);
  }

  ref(name: string): { connectorId: string; name: string } {
    return { connectorId: this.id, name };
  }

  /** What the source's state shows. */
  async shown(name: string): Promise<SourceState | undefined> {
    return (await this.lab.config.sources.list(this.id)).find((source) => source.name === name);
  }
}

/** A run that may write, and one whose task has passed to another run. */
export async function fences({ tasks }: SourceLab): Promise<{ mine: Fence; lost: Fence }> {
  const worker = `worker ${randomUUID()}`;
  await tasks.wake([{ worker, key: 'a' }]);
  const [run] = (await tasks.claim('one', [{ worker, limit: 1, leaseMs: 60_000, exceptTenants: [] }])).runs;
  return { mine: run!, lost: { worker, key: 'a', epoch: run!.epoch - 1n } };
}
