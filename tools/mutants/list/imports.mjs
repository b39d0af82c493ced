/** Bulk imports: how rows are accepted, run, stopped and counted. */
const imports = 'services/config-api/src/features/imports';
const store = 'packages/adapters/store-postgres/src/imports';
const routes = { project: 'integration', pattern: 'features/imports/bulk-imports' };
const stores = { project: 'integration', pattern: 'imports/import-store' };
const rows = { project: 'integration', pattern: 'writing/import-rows' };
const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern: `flow-runner/src/${pattern}` });

export default [
  { name: 'imports: rows are not reserved in the quota', file: `${imports}/store-import.ts`, find: 'readable === 0 ? undefined : await deps.quota.take(connector, readable)', replace: 'undefined as Awaited<ReturnType<typeof deps.quota.take>>', notice: routes },
  { name: 'imports: a run that lost its import gives back what another one has given back', file: `${store}/run-import.ts`, find: 'gaveBack: (id, fence, count) => fenced(fence, async', replace: 'gaveBack: (id, _fence, count) => inTransaction(pool, async', notice: stores },
  { name: 'imports: what was not written stays reserved', file: `${imports}/import-worker.ts`, find: '    await quota.giveBack(tenant, rest.acceptedAt.getTime(), rest.rows);\n', replace: '', notice: routes },
  { name: 'imports: a refused import stays behind', file: `${imports}/store-import.ts`, find: 'await deps.imports.abandon(id).catch', replace: 'await Promise.resolve().catch', notice: routes },
  { name: 'imports: the file stays in the blob store', file: `${imports}/uploaded-file.ts`, find: 'if (stored) await blobs.delete(key)', replace: 'if (!stored) await blobs.delete(key)', notice: routes },
  { name: 'imports: rows of a predecessor are not published', file: `${imports}/import-worker.ts`, find: 'if (!this.caughtUp) await this.catchUp(connector);', replace: '', notice: routes },
  { name: 'imports: rows begin for a connector as it was', file: `${imports}/import-worker.ts`, find: 'if (!now || now.deleted || stoppedReason(now) !== null) return true;', replace: 'if (!now) return true;', notice: routes },
  { name: 'imports: held rows never expire', file: `${imports}/import-worker.ts`, find: '    await imports.expireHeld(run, fence);\n', replace: '', notice: routes },
  { name: 'imports: a quarantined row is tried again', file: `${store}/retry-import.ts`, find: "NOT IN ('invalid_row', 'quarantined')", replace: "NOT IN ('invalid_row')", notice: stores },
  { name: 'imports: rows begin after a cancel', file: 'services/flow-runner/src/units/attempts/attempt-unit.ts', find: 'if (stop === null) return attemptEvent', replace: 'if (stop !== undefined) return attemptEvent', notice: rows },
  { name: 'imports: rows do not slow down when live events take longer', file: `${runner}/imports/import-rate.ts`, find: 'if (takesLonger) this', replace: 'if (takesLonger && waited === null) this', notice: unit('imports/import-rate') },
  { name: 'imports: rows slow down for ever when live events stay slower', file: `${runner}/imports/import-rate.ts`, find: 'now: mean, before: now }', replace: 'now: Math.min(now, mean), before: now }', notice: unit('imports/import-rate') },
  { name: 'imports: a row that live events wait for waits', file: `${runner}/imports/waiting-rows.ts`, find: 'else if (isAwaited) begin(work);', replace: '', notice: unit('imports/waiting-rows') },
  { name: 'imports: ends of live units wait for those of rows', file: `${runner}/units/settler.ts`, find: "workClass === 'live' && verdict.kind", replace: "workClass === 'verification' && verdict.kind", notice: unit('units/settler') },
  { name: 'imports: rows are not stored beside live units', file: `${runner}/units/settler.ts`, find: ' && !this.onlyFirsts;', replace: ';', notice: unit('units/settler') },
];
