import { isDeepStrictEqual } from 'node:util';
import { packageLines } from '@sluice/data-package';
import { authored, type ConnectorLine, type ConnectorPair, type VersionLine } from './pair-connectors';
import type { Restoration } from './restoration';

/** A connector of the organization that is restored. */
export interface Target {
  id: string;
  name: string;
}
/** By the ids of the package. */
export type Targets = ReadonlyMap<string, Target>;

/**
 * Makes the connectors of a package, publishes their versions in order, and writes their drafts. Connectors of an earlier run go
 * on where that ended.
 */
export async function restoreConnectors(restoration: Restoration, pairs: readonly ConnectorPair[]): Promise<Targets> {
  const { client, report } = restoration;
  const targets = new Map<string, Target>();
  for (const { line: { id: key, name, mode }, known } of pairs) {
    const target = known ?? (await report.part(`connector "${name}"`, () => client.createConnector({ body: { name, mode } })));
    if (target) targets.set(key, { id: target.id, name });
  }
  await restoreDrafts(restoration, await restoreVersions(restoration, targets));
  for (const { line } of pairs) {
    const target = targets.get(line.id);
    if (target) await restoreState(restoration, target.id, line);
  }
  return targets;
}

/** @returns the connectors whose versions are all there */
async function restoreVersions({ reader, client, report }: Restoration, targets: Targets): Promise<Targets> {
  const whole = new Map(targets);
  const counts = new Map<string, number>();
  for (const [key, { id }] of targets) {
    const { active_version: active } = await client.getConnector({ params: { connector_id: id } });
    counts.set(key, active ?? 0);
  }
  for await (const line of packageLines(reader, 'configuration/versions.jsonl')) {
    const { connector_id: key, version, config, change_summary: summary } = line as unknown as VersionLine;
    const target = whole.get(key);
    if (!target || version <= counts.get(key)!) continue;
    const params = { connector_id: target.id };
    const published = await report.part(`connector "${target.name}", version ${version}`, async () => {
      await client.replaceDraft({ params, body: authored(config) });
      const body = { change_summary: summary };
      const answer = await client.publishDraft({ params, body });
      // A version may be equal to the one before it.
      return answer.no_changes ? client.publishDraft({ params, body: { ...body, force: true } }) : answer;
    });
    if (published?.version === version) counts.set(key, version);
    else whole.delete(key);
    if (published && published.version !== version)
      report.problem(`connector "${target.name}": version ${version} became version ${published.version}`);
  }
  for (const [key, { name }] of whole) report.done(`connector "${name}": ${counts.get(key)} versions`);
  return whole;
}

async function restoreDrafts({ reader, client, report }: Restoration, targets: Targets): Promise<void> {
  for await (const line of packageLines(reader, 'configuration/drafts.jsonl')) {
    const target = targets.get(String(line['connector_id']));
    if (!target) continue;
    const params = { connector_id: target.id };
    await report.part(`draft of "${target.name}"`, async () => {
      const wanted = authored(line['config']);
      const { config } = await client.getDraft({ params });
      if (!isDeepStrictEqual(config, wanted)) await client.replaceDraft({ params, body: wanted });
    });
  }
}

/** An error of the old connector is none of the new one. */
async function restoreState(
  { client, report }: Restoration, id: string, { name, default_store_id: store, status }: ConnectorLine,
): Promise<void> {
  const body = { ...(store !== null && { default_store_id: store }), ...(status === 'paused' && { status } as const) };
  if (Object.keys(body).length === 0) return;
  await report.part(`connector "${name}"`, () => client.updateConnector({ params: { connector_id: id }, body }));
}
