/** Ways to break pollers and schedules that a test must notice. */
const reading = 'services/journal-poller/src/reading';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });
const turns = unit('journal-poller/src/reading/next-reading');
const pollers = integration('journal-poller/src/reading/pollers');

export default [
  { name: 'pollers: of a path with a wildcard only the first element counts', file: 'packages/sources/src/poller/read-poll.ts', find: 'if (path?.multiple) return', replace: 'if (path === undefined) return', notice: unit('sources/src/poller/read-poll') },
  { name: 'pollers: each missed tick is read', file: `${reading}/next-reading.ts`, find: 'const after = Math.max(now.getTime(), tick.getTime());', replace: 'const after = tick.getTime();', notice: turns },
  { name: 'pollers: a reading that was asked for moves the next tick', file: `${reading}/next-reading.ts`, find: 'const wasAhead = plan.nextDueAt! > tick;', replace: 'const wasAhead = false && plan.nextDueAt! > tick;', notice: turns },
  { name: 'pollers: failures wait for ever longer', file: `${reading}/next-reading.ts`, find: 'Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(plan.failures, 20))', replace: 'firstWaitMs * 2 ** Math.min(plan.failures, 20)', notice: turns },
  { name: 'pollers: who asks overrides Retry-After', file: `${reading}/next-reading.ts`, find: 'if (!isHeld && (isDue || asked !== null))', replace: 'if (isDue || asked !== null)', notice: turns },
  { name: 'pollers: the cursor moves after a failure', file: `${reading}/read-source.ts`, find: 'return finish({ ...planAfterFailure(', replace: "return finish({ cursor: 'lost', ...planAfterFailure(", notice: pollers },
  { name: 'pollers: a page at another host is called', file: 'packages/sources/src/poller/page-requests.ts', find: 'if (next.origin !== new URL(url).origin)', replace: "if (next.origin === 'null')", notice: pollers },
  { name: 'pollers: the same tick gives other ids', file: 'packages/sources/src/shared/read-elements.ts', find: 'JSON.stringify(before === 0 ? [tick.toISOString(), content]', replace: 'JSON.stringify(before === 0 ? [Math.random(), content]', notice: pollers },
  { name: 'pollers: everything has changed', file: `${reading}/read-source.ts`, find: 'const isChanged = known.get(externalId) !== content;', replace: 'const isChanged = known.get(externalId) !== content || true;', notice: pollers },
  { name: 'pollers: a paused connector is read', file: `${reading}/read-source.ts`, find: '|| stoppedReason(connector) !== null', replace: '', notice: pollers },
  { name: 'pollers: a source that is off is read', file: `${reading}/read-source.ts`, find: '!enabled || stoppedReason', replace: 'stoppedReason', notice: pollers },
  { name: 'pollers: secrets stand in the error', file: 'packages/rest-targets/src/source-pages.ts', find: "secretMask(secrets)(body.subarray(0, 4 * quotedLength).toString('utf8'))", replace: "body.subarray(0, 4 * quotedLength).toString('utf8')", notice: pollers },
];
