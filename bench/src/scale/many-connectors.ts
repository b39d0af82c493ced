import { createHash } from 'node:crypto';
import { type ConnectorChange, connectorChanges } from '@sluice/contracts';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import { Client } from 'pg';

const perBatch = 1_000;

/** Copies of a published connector of the same organization, each with its own key, id, version and binding. */
const copySql = `
  WITH made AS (SELECT n, gen_random_uuid() AS id FROM generate_series($2::int, $3::int) n),
  connector AS (
    INSERT INTO connectors SELECT (jsonb_populate_record(NULL::connectors,
      to_jsonb(c) || jsonb_build_object('id', made.id, 'name', 'Copy ' || made.n))).* FROM connectors c, made WHERE c.id = $1
  ), version AS (
    INSERT INTO versions SELECT (jsonb_populate_record(NULL::versions, to_jsonb(v)
      || jsonb_build_object('connector_id', made.id))).*
    FROM versions v, made WHERE v.connector_id = $1
  ), binding AS (
    INSERT INTO connector_bindings (connector_id, epoch) SELECT made.id, b.epoch FROM connector_bindings b,
    made WHERE b.connector_id = $1
  )
  SELECT made.n, made.id, c.organization_id, c.revision, c.active_version, c.binding_credential_id, c.binding_portal_id,
  c.binding_epoch
  FROM connectors c, made WHERE c.id = $1`;

interface Copy {
  n: number;
  id: string;
  organization_id: string;
  revision: number;
  active_version: number;
  binding_credential_id: string;
  binding_portal_id: string;
  binding_epoch: number;
}

/** The key of copy n. */
export const keyOfCopy = (n: number): string => `bench-key-of-copy-${n}`;

const changeOf = (copy: Copy): ConnectorChange => ({
  v: 1, connector_id: copy.id, organization_id: copy.organization_id, revision: copy.revision, deleted: false,
  name: `Copy ${copy.n}`, status: 'active', default_store_id: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} },
  ordering: 'record', width: 1, active_version: copy.active_version, write_cap: null,
  keys: [{ id: copy.id, hash: createHash('sha256').update(keyOfCopy(copy.n)).digest('hex'), expires_at: null }],
  binding: { credential_id: copy.binding_credential_id, portal_id: copy.binding_portal_id, epoch: copy.binding_epoch },
});

/** Connectors in the database and in the topic of changes, without the thousands of calls that would create them. */
export class ManyConnectors {
  private made = 0;

  private constructor(private readonly client: Client, private readonly producer: Producer, private readonly pattern: string) {}

  /** @param pattern id of the published connector that is copied */
  static async open(databaseUrl: string, brokers: string[], pattern: string): Promise<ManyConnectors> {
    const client = new Client({ connectionString: databaseUrl });
    const producer = new Kafka({ clientId: 'many-connectors', brokers, logLevel: logLevel.ERROR })
      .producer({ allowAutoTopicCreation: false });
    await Promise.all([client.connect(), producer.connect()]);
    return new ManyConnectors(client, producer, pattern);
  }

  /** Adds copies up to a number of all; the first is copy 1. */
  async fillTo(count: number): Promise<void> {
    while (this.made < count) {
      const last = Math.min(count, this.made + perBatch);
      const { rows } = await this.client.query<Copy>(copySql, [this.pattern, this.made + 1, last]);
      const messages = rows.map((copy) => ({ partition: 0, key: copy.id, value: JSON.stringify(changeOf(copy)) }));
      await this.producer.send({ topic: connectorChanges.name, acks: -1, messages });
      this.made = last;
    }
    await this.client.query('VACUUM ANALYZE connectors, versions, connector_bindings');
  }

  async close(): Promise<void> {
    await Promise.all([this.client.end(), this.producer.disconnect()]);
  }
}
