/** Mutants of what a process keeps in memory. */
const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  {
    name: 'mappings without a bound', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: 'createBoundedCache<Remembered>(remembered)', replace: 'createBoundedCache<Remembered>(1_000_000)', notice: unit('mapping-lookup'),
  },
  {
    name: 'answers of the CRM that are kept without a bound', file: 'packages/crm-writer/src/shared/ttl-cache.ts',
    find: '>(options.max)', replace: '>(1_000_000)', notice: unit('ttl-cache'),
  },
  {
    name: 'compiled versions of any size together', file: `${runner}/connectors/compiled-configs.ts`,
    find: 'maxSize: keptBytes', replace: 'maxSize: 1e12', notice: unit('compiled-configs'),
  },
  {
    name: 'every partition of a runner may be full at once', file: 'packages/key-lanes/src/fetch-bounds.ts',
    find: 'return isOver || log.unfinished', replace: 'return log.unfinished', notice: unit('key-lanes.test'),
  },
  {
    name: 'a partition full of large events is fetched further', file: 'packages/key-lanes/src/fetch-bounds.ts',
    find: 'if (isHeavy || log.bytes >= bounds.maxBytes) return true;', replace: '', notice: unit('key-lanes/src/memory-bounds'),
  },
  {
    name: 'events that count nothing in memory', file: `${runner}/units/lane-item.ts`,
    find: 'bytes: unitBytes + memoryOf(unit.envelope.payload),', replace: 'bytes: 0,', notice: unit('lane-item.test'),
  },
  {
    name: 'pages of held events of any size together', file: `${runner}/units/read-memory.ts`,
    find: 'Math.min(maxPageBytes, this.maxBytes - this.used)', replace: 'maxPageBytes', notice: unit('read-memory.test'),
  },
  {
    name: 'large payloads of any number in memory', file: `${runner}/units/read-memory.ts`,
    find: 'this.used + next.bytes > this.maxBytes', replace: 'false', notice: unit('read-memory.test'),
  },
  {
    name: 'a large payload waits for pages', file: `${runner}/units/read-memory.ts`,
    find: 'this.payloads > 0 && ', replace: '', notice: unit('read-memory.test'),
  },
  {
    name: 'a page of held events never gives its memory back', file: `${runner}/held/held-drain.ts`,
    find: 'room.end();', replace: '', notice: unit('held-drain'),
  },
  {
    name: 'held rows of any size are read at once', file: 'packages/adapters/store-postgres/src/run/read-held.ts',
    find: 'place <= 2 OR text_bytes <= $6', replace: '$6::bigint > 0',
    notice: { project: 'integration', pattern: 'run-stores.integration' },
  },
];
