/** Connectors and portals that share a partition, and the places of a runner. */
const shared = { project: 'integration', pattern: 'intake/shared-partition' };
const places = { project: 'unit', pattern: 'key-lanes/src/places' };
const ownership = { project: 'unit', pattern: 'key-lanes/src/ownership' };
const property = { project: 'unit', pattern: 'key-lanes/src/key-lanes.property' };
const relief = 'services/flow-runner/src/runner/backlog-relief.ts';

export default [
  {
    name: 'backlog: events that are finished fast enough are moved to the held store',
    file: relief,
    find: "this.begin(entry, isWorkedOff && pace !== 'still' ? null : (share) => ({",
    replace: 'this.begin(entry, (share) => ({',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: a partition that finishes a little is never relieved',
    file: relief,
    find: 'finished > entry.pausedWith * workedOffPerSecond * seconds',
    replace: 'finished > 0',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: a full partition of one connector stays unread',
    file: relief,
    find: "if (pace === 'shared' || (pace !== 'still' && now - entry.pausedAt < patienceMs)) continue;",
    replace: 'if (this.deps.lanes.stats().groups < 2) continue;',
    notice: shared,
  },
  {
    name: 'backlog: a target that does not answer is waited for as long as one that does',
    file: relief,
    find: 'if (perSecond < glance.unfinished * barelyPerSecond) {',
    replace: 'if (perSecond < 0) {',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: everything is moved while the database is away',
    file: relief,
    find: '      this.glances.delete(entry);\n',
    replace: '',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: several connectors that are fast together are written twice',
    file: relief,
    find: 'glance.isFirst && perSecond < glance.unfinished * sharedPerSecond',
    replace: 'glance.isFirst',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: connectors of other partitions count as those that wait',
    file: relief,
    find: 'isSlow && this.deps.lanes.unfinishedByGroup(entry.partition).size > 1',
    replace: 'isSlow',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: several slow connectors never give way to more than their bound',
    file: relief,
    find: 'unfinished: entry.pausedWith, isFirst: false',
    replace: 'unfinished: entry.pausedWith, isFirst: true',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: what is fetched waits in memory behind a running head',
    file: relief,
    find: 'if (scope) this.hold(partition, connectorId, scope.headOffset);',
    replace: '',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: the newest events of a connector stay in memory',
    file: relief,
    find: 'return item.offset;',
    replace: 'return items[0]!.offset;',
    notice: { project: 'unit', pattern: 'runner/backlog-relief' },
  },
  {
    name: 'backlog: a portal takes all places in flight',
    file: 'services/flow-runner/src/runner/lane-memory.ts',
    find: '    poolOf,\n',
    replace: '',
    notice: { project: 'unit', pattern: 'runner/lane-memory' },
  },
  {
    name: 'places: connectors of one portal each take half of them',
    file: 'packages/key-lanes/src/places.ts',
    find: 'pool === null ? own : Math.min(own, share(ofPool.get(pool) ?? 0))',
    replace: 'own',
    notice: places,
  },
  {
    name: 'places: a connector takes all that are free',
    file: 'packages/key-lanes/src/places.ts',
    find: 'Math.max(1, Math.floor(more / 2))',
    replace: 'maxInFlight - taken',
    notice: places,
  },
  {
    name: 'places: the last place is never taken',
    file: 'packages/key-lanes/src/places.ts',
    find: 'Math.max(1, Math.floor(more / 2))',
    replace: 'Math.floor(more / 2)',
    notice: places,
  },
  {
    name: 'places: a group at its bound loses its turn',
    file: 'packages/key-lanes/src/create-key-lanes.ts',
    find: '    ring.endTurns();\n',
    replace: '',
    notice: places,
  },
  {
    name: 'lanes: an item that could not be moved away goes before what stayed',
    file: 'packages/key-lanes/src/lane.ts',
    find: 'while (next !== null && next.offset < slot.offset)',
    replace: 'while (next !== null && next.offset < 0n)',
    notice: ownership,
  },
  {
    name: 'lanes: a lane runs while its tail is being moved away',
    file: 'packages/key-lanes/src/create-key-lanes.ts',
    find: '      if (lane.out > 0) continue;\n',
    replace: '',
    notice: property,
  },
  {
    name: 'lanes: what is moved away stays in its lane too',
    file: 'packages/key-lanes/src/lane.ts',
    find: 'if (before) before.nextInLane = null;',
    replace: 'if (before) before.nextInLane = next ?? null;',
    notice: property,
  },
];
