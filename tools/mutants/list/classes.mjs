const writer = 'packages/crm-writer/src';
const runner = 'services/flow-runner/src';
const budget = { project: 'unit', pattern: 'crm-writer/src/session/budget-classes' };
const batches = { project: 'unit', pattern: 'crm-writer/src/batching/coalescer' };
const session = { project: 'unit', pattern: 'crm-writer/src/session/portal-session' };
const units = { project: 'unit', pattern: 'flow-runner/src/(units/unit|intake/partition-intake)' };

export default [
  { name: 'classes: an import leaves nothing for live calls', file: `${writer}/session/call-bucket.ts`, find: 'Math.min(rate.capacity * left[lower], rate.capacity - 1)', replace: '0', notice: budget },
  { name: 'classes: later classes starve', file: `${writer}/session/call-bucket.ts`, find: 'return this.shared.take(rate, -mostInAdvance(rate));', replace: 'return this.shared.take(rate, 0);', notice: budget },
  { name: 'classes: what is taken in advance is not counted', file: `${writer}/session/call-bucket.ts`, find: 'return this.shared.take(rate, -mostInAdvance(rate));', replace: 'return 0;', notice: budget },
  { name: 'classes: a dry portal stops others too', file: `${writer}/session/portal-budget.ts`, find: "workClass === 'live' ? Math.max(refusedUntil, dryUntil) : refusedUntil", replace: 'Math.max(refusedUntil, dryUntil)', notice: budget },
  { name: 'classes: a refusal of the CRM stops live calls only', file: `${writer}/session/portal-budget.ts`, find: "workClass === 'live' ? Math.max(refusedUntil, dryUntil) : refusedUntil", replace: "workClass === 'live' ? Math.max(refusedUntil, dryUntil) : 0", notice: budget },
  { name: 'classes: others take places of live calls', file: `${writer}/batching/coalescer.ts`, find: 'live + (this.hasLive() ? 0 : lower) < most', replace: 'live + lower < most', notice: batches },
  { name: 'classes: batches in the order of arrival', file: `${writer}/batching/pick-batch.ts`, find: '.sort((a, b) => places.get(a)! - places.get(b)!)', replace: '', notice: batches },
  { name: 'classes: full calls leave others behind for ever', file: `${writer}/batching/pick-batch.ts`, find: 'pending.passed += 1', replace: 'pending.passed += 0', notice: batches },
  { name: 'classes: a later request of a record goes before an earlier one', file: `${writer}/batching/pick-batch.ts`, find: 'queue.filter(isFirst)', replace: '[...queue]', notice: batches },
  { name: 'classes: live requests wait for a row of the same record', file: `${writer}/batching/coalescer.ts`, find: 'hurry(one, workClass);', replace: '{}', notice: batches },
  { name: 'classes: an import closes the portal for live calls', file: `${writer}/session/portal-session.ts`, find: " && classOf() === 'live') deps.budget.ranDry", replace: ') deps.budget.ranDry', notice: session },
  { name: 'classes: a call does not learn that live work waits for it', file: `${writer}/session/portal-session.ts`, find: 'isLive ? wait : Math.min(wait, hurriedWithinMs)', replace: 'wait', notice: session },
  { name: 'classes: a row that live events wait for stays an import', file: `${runner}/units/unit.ts`, find: "own !== 'live' && isAwaited?.() ? 'live' : ", replace: '', notice: units },
  { name: 'classes: a row counts as a live event of its lane', file: `${runner}/intake/unfinished-units.ts`, find: "if (kind !== 'live') count(others, lane, by);", replace: '', notice: units },
  { name: 'classes: a row has the position of its message', file: `${runner}/units/unit.ts`, find: " || envelope.kind === 'import'", replace: '', notice: units },
];
