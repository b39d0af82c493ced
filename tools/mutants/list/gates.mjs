/** Mutants of the gates of portals and REST destinations. */
const gate = 'packages/gates/src/gate.ts';
const gates = 'packages/gates/src/gates.ts';
const unit = { project: 'unit', pattern: 'packages/gates' };
const ofPortals = { project: 'unit', pattern: 'packages/crm-writer/src/session/portal-gates' };
const ofTargets = { project: 'unit', pattern: 'packages/rest-targets/src/target-gates' };

export default [
  { name: 'gates: a portal that must be tried is tried by many events', file: gates, find: 'return gate.isTriedByAnother(me) ?', replace: 'return key === null ?', notice: ofPortals },
  { name: 'gates: every request tries a destination that fails', file: gates, find: 'if (room === 1) this.troubled.get(key)?.letTry(me);', replace: '', notice: ofTargets },
  { name: 'gates: a few failures close the portal', file: gate, find: 'this.failures >= failuresThatCount && ', replace: '', notice: ofPortals },
  { name: 'gates: failures between answers close the destination', file: gates, find: "if (sign === 'answered') this.troubled.delete(key);", replace: "if (sign === 'answered') return;", notice: ofTargets },
  { name: 'gates: an answer does not open the portal', file: gates, find: "sign === 'answered') this.troubled.delete(key);", replace: "sign === 'answered') return;", notice: ofPortals },
  { name: 'gates: a closed destination is called', file: gates, find: 'if (waitMs > 0) return { reason', replace: 'if (waitMs < 0) return { reason', notice: ofTargets },
  { name: 'gates: calls that end together are many tries', file: gate, find: 'now < this.notBefore) return;', replace: 'now < 0) return;', notice: unit },
  { name: 'gates: the wait does not grow', file: gate, find: 'this.waitMs * 2', replace: 'this.waitMs', notice: unit },
  { name: 'gates: failures count from the refusal before them', file: gate, find: 'if (this.failures === 0) this.failingSince = now;', replace: '', notice: unit },
  { name: 'gates: another caller ends the try', file: gate, find: 'if (this.prober === prober) this.prober = null;', replace: 'this.prober = null;', notice: unit },
  { name: 'gates: a refused portal is open when its wait is over', file: gates, find: 'this.gateOf(key).refused();', replace: 'this.gateOf(key);', notice: ofPortals },
  { name: 'gates: a limit of searches closes the portal', file: gates, find: 'else if (this.options.refusesForMs(key) > 0) this', replace: 'else this', notice: ofPortals },
  { name: 'gates: troubles of any number of destinations are kept', file: gates, find: 'const maxKept = 10_000;', replace: 'const maxKept = 20_000;', notice: unit },
  { name: 'outbound: a Retry-After is forgotten', file: 'packages/rest-targets/src/target-gates.ts', find: 'destination.refusesUntil = Math.max(destination.refusesUntil, until);', replace: '', notice: ofTargets },
];
