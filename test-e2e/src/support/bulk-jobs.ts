import { writeFileSync } from 'node:fs';
import { bearer } from '@sluice/api-client';
import { PackageReader, packageLines, verifyPackage } from '@sluice/data-package';
import { eventually } from '@sluice/testkit';
import { call, type Cluster, type Tenant } from './cluster';

/** One entity, found by its address. */
export const peopleConfig = {
  version: '3.0',
  entities: [{
    name: 'person',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [{ source: '$.payload.email', target: 'email' }, { source: '$.payload.name', target: 'firstname' }],
      },
    },
  }],
  flows: [{
    name: 'people', source: 'event_api', event_type: 'person_synced',
    steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'person' }],
  }],
  sources: [],
};

/** How long a job may take, and how long config-api may be away in between. */
const patience = { timeoutMs: 3_600_000, everyMs: 500 };
const awayMs = 90_000;

/** A bulk import, a verification of what it wrote and an export of it, while services of the cluster may be killed. */
export class BulkJobs {
  private readonly at: string;

  constructor(private readonly cluster: Cluster, private readonly tenant: Tenant) {
    this.at = `/api/connectors/${tenant.connectorId}`;
  }

  /** A file of so many people. */
  async import(rows: number): Promise<() => Promise<Record<string, number>>> {
    const lines = Array.from({ length: rows }, (_, n) => `P-${n},p${n}@bulk.test,Person ${n}\n`);
    const form = new FormData();
    form.set('file', new Blob(['external_id,email,name\n', ...lines]), 'people.csv');
    form.set('entity', 'person');
    const response = await fetch(`${this.cluster.configApi.url}${this.at}/bulk-imports`, {
      method: 'POST', headers: bearer(this.tenant.sessionToken), body: form,
    });
    if (response.status !== 202) throw new Error(`the import was answered ${response.status}: ${await response.text()}`);
    return this.end(`${this.at}/bulk-imports/${((await response.json()) as { id: string }).id}`);
  }

  async verification(): Promise<() => Promise<Record<string, number>>> {
    const { id } = await this.ask('POST', `${this.at}/verifications`, { entity: 'person', sample: { percentage: 100 } });
    return this.end(`${this.at}/verifications/${id}`);
  }

  /** @param path where the package is kept. @returns waits for it; what is wrong with it, and the external ids of its history */
  async export(path: string): Promise<() => Promise<{ problems: string[]; externalIds: string[] }>> {
    const { id } = await this.ask('POST', '/api/data-exports', {});
    const ended = this.end(`/api/data-exports/${id}`);
    return async () => {
      const { status } = await ended();
      if (String(status) !== 'completed') return { problems: [`the export is ${status}`], externalIds: [] };
      const { url } = await this.ask('GET', `/api/data-exports/${id}/download`);
      writeFileSync(path, Buffer.from(await (await fetch(url as string)).arrayBuffer()));
      return readPackage(path);
    };
  }

  private end(path: string): () => Promise<Record<string, number>> {
    return async () => {
      let job: any;
      await eventually(async () => (job = await this.ask('GET', path)).completed_at !== null || job.status === 'failed',
        patience);
      return job;
    };
  }

  /** Asks again while config-api is away; a request that changes something is asked once more only when it was not sent. */
  private async ask(method: string, path: string, body?: unknown): Promise<any> {
    const once = () => call(this.cluster.configApi.url, method, path, body, bearer(this.tenant.sessionToken));
    if (method !== 'GET') return once();
    let answer: unknown;
    await eventually(async () => {
      answer = await once();
      return true;
    }, { timeoutMs: awayMs, everyMs: 250 });
    return answer;
  }
}

async function readPackage(path: string): Promise<{ problems: string[]; externalIds: string[] }> {
  const reader = await PackageReader.open(path);
  try {
    const problems: string[] = [];
    for await (const file of verifyPackage(reader)) problems.push(...file.problems.map((one) => `${file.path}: ${one}`));
    const externalIds: string[] = [];
    for await (const line of packageLines(reader, 'sync_history.jsonl')) externalIds.push(String(line['external_id']));
    return { problems, externalIds };
  } finally {
    reader.close();
  }
}
