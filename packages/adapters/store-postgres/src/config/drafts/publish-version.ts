import type { Tier } from '@sluice/contracts';
import { hasWriteCap, type NewVersion, type PublishAnswer } from '@sluice/ports';
import { asId, json, type Transaction } from '../../config-client/config-client';
import { versionRow } from '../config-rows';
import { addVersionPlugins, arePluginsCurrent } from '../../plugins/version-plugins';
import { announce, lockConnector, lockOrganization } from '../../config-client/connector-changes';

/**
 * Stores a version and makes it the active one, unless another version was published since the draft's base. Creates the sources
 * that the config names for the first time, and deletes those that it no longer names.
 */
export async function publishVersion(tx: Transaction, version: NewVersion): Promise<PublishAnswer> {
  const { connectorId: connector_id } = version;
  const owner = await tx.connector.findUnique({ where: { id: asId(connector_id) }, select: { organization_id: true } });
  if (!owner) return { ok: false, reason: 'not_found' };
  await lockOrganization(tx, owner.organization_id);
  const connector = await lockConnector(tx, connector_id);
  if (!connector) return { ok: false, reason: 'not_found' };
  const activeVersion = connector.active_version ?? 0;
  if (activeVersion !== version.baseVersion)
    return { ok: false, reason: 'stale_base_version', baseVersion: version.baseVersion, activeVersion };
  const sources = await sourceChanges(tx, version);
  const limit = version.eventSourcesLimit;
  if (limit !== null && sources.added.length > sources.removed.length) {
    const usage = await tx.connectorSource.count({
      where: { connector: { organization_id: owner.organization_id, deleted_at: null } },
    });
    if (usage + sources.added.length - sources.removed.length > limit) return { ok: false, reason: 'limit_reached', usage };
  }
  const plugins = version.plugins ?? [];
  if (!(await arePluginsCurrent(tx, plugins))) return { ok: false, reason: 'plugins_changed' };
  await applySources(tx, version, sources);
  const number = activeVersion + 1;
  const { config, flows, changeSummary: change_summary, publishedBy: published_by } = version;
  const row = await tx.version.create({
    data: { connector_id, version: number, config: json(config), flow_index: json(flows), change_summary, published_by },
  });
  await addVersionPlugins(tx, { connectorId: connector_id, version: number }, plugins);
  await tx.connector.update({ where: { id: connector_id }, data: { active_version: number } });
  if (number === 1) await armWriteCap(tx, owner.organization_id, version);
  await tx.draft.updateMany({ where: { connector_id }, data: { base_version: number } });
  await announce(tx, [connector_id]);
  return { ok: true, version: versionRow(row, number), createdSources: sources.added };
}

async function armWriteCap(tx: Transaction, organizationId: string, { connectorId, writeCapLimit }: NewVersion): Promise<void> {
  const { tier, write_cap_review: review } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
  if (!hasWriteCap(tier as Tier, review)) return;
  await tx.writeCap.create({ data: { connector_id: connectorId, state: 'armed', write_limit: writeCapLimit } });
}

interface SourceChanges {
  added: string[];
  removed: string[];
}

async function sourceChanges(tx: Transaction, version: NewVersion): Promise<SourceChanges> {
  const known = await tx.connectorSource.findMany({ where: { connector_id: version.connectorId } });
  const types = new Map(known.map(({ name, type }) => [name, type]));
  const wanted = new Map(version.sources.map(({ name, type }): [string, string] => [name, type]));
  // Under another type it is another source: neither secret nor place of the old one means anything to it.
  const missing = (from: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
    [...from].filter(([name, type]) => other.get(name) !== type).map(([name]) => name);
  return { added: missing(wanted, types), removed: missing(types, wanted) };
}

async function applySources(
  tx: Transaction,
  { connectorId: connector_id, sources }: NewVersion,
  { added, removed }: SourceChanges,
): Promise<void> {
  await tx.connectorSource.deleteMany({ where: { connector_id, name: { in: removed } } });
  const fresh = new Set(added);
  for (const { name, type, sealed } of sources)
    if (fresh.has(name)) await tx.connectorSource.create({ data: { connector_id, name, type, sealed } });
}
