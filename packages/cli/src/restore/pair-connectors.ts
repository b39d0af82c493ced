import { isDeepStrictEqual } from 'node:util';
import { authoredPlugin, type ConfigDocument, withoutCoordinates } from '@sluice/contracts';
import { packageLines } from '@sluice/data-package';
import { CliError } from '../cli-error';
import { listAll } from './list-all';
import type { Restoration } from './restoration';

/** A connector of a package, as far as it is restored. */
export interface ConnectorLine {
  id: string;
  name: string;
  status: 'active' | 'paused' | 'error';
  mode: 'live' | 'test';
  default_store_id: string | null;
}
export interface VersionLine {
  connector_id: string;
  version: number;
  change_summary: string | null;
  config: ConfigDocument;
}
type Connector = Awaited<ReturnType<Restoration['client']['listConnectors']>>['items'][number];

/** A connector of the package, and that of the organization which an earlier run has made of it. */
export interface ConnectorPair {
  line: ConnectorLine;
  known: Connector | undefined;
}

/** The config without what a publish resolves. */
export const authored = (config: unknown): Record<string, unknown> =>
  withoutCoordinates(config as ConfigDocument) as unknown as Record<string, unknown>;

/**
 * The connectors of a package beside those that the organization has. Names may repeat: the first of a name here is the first of
 * it there.
 * @throws CliError when the organization has one that an earlier run has not made
 */
export async function pairConnectors(restoration: Restoration): Promise<ConnectorPair[]> {
  const left = await listAll(restoration.client.listConnectors);
  const pairs: ConnectorPair[] = [];
  for await (const one of packageLines(restoration.reader, 'connectors.jsonl')) {
    const line = one as unknown as ConnectorLine;
    const place = left.findIndex(({ name, mode }) => name === line.name && mode === line.mode);
    pairs.push({ line, known: place < 0 ? undefined : left.splice(place, 1)[0] });
  }
  const [foreign] = left;
  if (foreign)
    throw new CliError(`The organization is not empty: it has the connector "${foreign.name}", which the package does not have.`);
  await assertOwn(restoration, pairs);
  return pairs;
}

/** A connector that is there is one of an earlier run when its active version is that of the package. */
async function assertOwn(restoration: Restoration, pairs: readonly ConnectorPair[]): Promise<void> {
  const active = new Map(pairs.flatMap(({ line, known }) => (known?.active_version ? [[line.id, known] as const] : [])));
  if (active.size === 0) return;
  const own = new Set<string>();
  for await (const line of packageLines(restoration.reader, 'configuration/versions.jsonl')) {
    const { connector_id: id, version, config } = line as unknown as VersionLine;
    const known = active.get(id);
    if (known?.active_version !== version) continue;
    const now = await restoration.client.getActiveVersion({ params: { connector_id: known.id } });
    if (isDeepStrictEqual(comparable(now.config), comparable(config))) own.add(id);
  }
  for (const [id, { name }] of active)
    if (!own.has(id)) throw new CliError(`The organization is not empty: its connector "${name}" has another config than the package.`);
}

/** Plugin steps as they were authored: a publish writes them in another form. */
function comparable(config: unknown): unknown {
  const { flows, ...rest } = config as ConfigDocument;
  return {
    ...rest,
    flows: flows.map((flow) => ({ ...flow, steps: flow.steps.map((step) => ({ ...step, plugin: authoredPlugin(step) })) })),
  };
}
