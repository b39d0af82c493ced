const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

/** Calls of stores that take too long: each is bounded, and nobody waits for another's. */
export default [
  {
    name: 'reading a payload counts as activity', file: `${runner}/units/attempts/attempt-unit.ts`,
    find: 'await deps.activity.waiting(deps.blobs.get(key))', replace: 'await deps.blobs.get(key)',
    notice: integration('units/hanging-payload'),
  },
  {
    name: 'reading a connector counts as activity', file: `${runner}/processing/unit-processor.ts`,
    find: 'await deps.activity.waiting(deps.directory.ensure(id, revision))',
    replace: 'await deps.directory.ensure(id, revision)',
    notice: unit('processing/unit-processor'),
  },
  {
    name: 'reading a config counts as activity', file: `${runner}/processing/unit-processor.ts`,
    find: 'deps.activity.waiting(deps.configs.load(versionRef(connector, version)))', replace: 'deps.configs.load(versionRef(connector, version))',
    notice: unit('processing/unit-processor'),
  },
  {
    name: 'the blob folder gets further requests while it hangs', file: 'packages/adapters/blob-folder/src/bounded-calls.ts',
    find: 'if (hanging >= maxHanging)', replace: 'if (hanging > 1_000)', notice: integration('folder-blob-store'),
  },
  {
    name: 'a blob folder that hung never gets a request again', file: 'packages/adapters/blob-folder/src/bounded-calls.ts',
    find: 'if (late) hanging -= 1;', replace: '', notice: integration('folder-blob-store'),
  },
  {
    name: 'the wait for a connection of the embedded bus is not bounded',
    file: 'packages/adapters/bus-embedded/src/append-batch.ts',
    find: 'Math.floor(deadline - performance.now())', replace: 'timeoutMs', notice: unit('bus-embedded/src/append-batch'),
  },
  {
    name: 'a key that sends too much stops its whole organization first', file: 'services/ingest-api/src/limits/work-budget.ts',
    find: 'assertLeft(keys, key);', replace: '', notice: { project: 'unit', pattern: 'ingest-api/src/limits/work-budget' },
  },
];
