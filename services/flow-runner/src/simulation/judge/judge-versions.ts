import type { Trial } from './trial';
import { unitTextOf } from './trial';

/** How long after a version became active every runner knows it. */
const heardWithinMs = 3_000;

/** By how much the dates of a row may be behind: a process hears the store's time with an answer that was on its way. */
const behindMs = 3_000;

/**
 * An event runs under a version that was active when its last attempt began. Those of a connector's lane keep the one they were
 * planned under.
 */
export function judgeVersions({ sent, replays, rowOf, changes }: Trial): void {
  for (const { envelope } of [...sent, ...replays]) {
    const row = rowOf.get(unitTextOf(envelope))!;
    const began = row.steps[0] ? Date.parse(row.steps[0].started_at) : null;
    if (began === null || envelope.lane === envelope.connector_id) continue;
    const own = changes.filter(({ change }) => change.connector_id === envelope.connector_id);
    const known = own.filter(({ at }) => at <= began);
    const isHeard = ({ at, change }: (typeof own)[number]): boolean =>
      at <= began - heardWithinMs || change.revision <= envelope.revision;
    const first = own.indexOf(known.findLast(isHeard) ?? known[0]!);
    const later = own.slice(first).filter(({ at }) => at <= Date.parse(row.completedAt) + behindMs);
    const active = later.map(({ change }) => change.active_version);
    if (active.includes(row.configVersion)) continue;
    throw new Error(`version: ${unitTextOf(envelope)} ran under version ${row.configVersion}, active were ${active.join(', ')}`);
  }
}
