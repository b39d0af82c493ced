/** Ways to lose the order of a record when the width of its connector is raised. */
const others = 'services/flow-runner/src/ordering/other-partitions.ts';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

export default [
  { name: 'width: an event does not wait for other partitions', file: 'services/flow-runner/src/ordering/ordering-barrier.ts', find: "return here === 'open' ? deps.otherPartitions.state(unit) : here;", replace: 'return here;', notice: integration('ordering-change') },
  { name: 'width: what other partitions have not committed is not waited for', file: others, find: 'if (others.some(({ partition, committed }) => committed < (ends.get(partition) ?? 0n))) return false;', replace: '', notice: unit('other-partitions') },
  { name: 'width: held events of other partitions are not waited for', file: others, find: 'if (hasOlder(held, epochOf(unit), ends.get(partition) ?? 0n)) return false;', replace: '', notice: unit('other-partitions') },
  { name: 'width: two events wait for each other', file: others, find: 'one.epoch < epoch && one.offset < newer', replace: 'one.epoch < epoch && one.offset < end', notice: unit('other-partitions') },
  { name: 'width: it does not wait until all acceptors place by it', file: others, find: 'monotonicNow() - crossing.seenAt >= togetherMs && ', replace: '', notice: unit('other-partitions') },
  { name: 'width: the answer of one owner counts for the next', file: others, find: 'if (owned?.lease !== lease) {', replace: 'if (!owned) {', notice: unit('other-partitions') },
  { name: 'width: an acceptor places by it before it begins', file: 'packages/event-intake/src/plan-units.ts', find: 'return raise && now < Date.parse(raise.from)', replace: 'return raise && now < 0', notice: unit('event-intake/src/plan-units') },
  { name: 'width: events before it carry its epoch', file: 'packages/event-intake/src/plan-units.ts', find: '{ width: raise.before, epoch: epoch - 1 }', replace: '{ width: raise.before, epoch }', notice: unit('event-intake/src/plan-units') },
  { name: 'width: a raise makes no ordering epoch', file: 'packages/adapters/store-postgres/src/config/connectors/raise-width.ts', find: '  await reorder(tx, [id]);\n', replace: '', notice: integration('config-store.integration') },
  { name: 'width: it is raised again before the last raise has begun', file: 'packages/adapters/store-postgres/src/config/connectors/raise-width.ts', find: "return { ok: false, reason: 'pending', width: widthOf(connector) };", replace: ';', notice: integration('config-store.integration') },
];
