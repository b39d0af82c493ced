const engine = 'packages/flow-engine/src';
const unit = (pattern) => ({ project: 'unit', pattern });

/** Mutations of the flow engine: each must be noticed by the tests that `notice` names. */
export default [
  {
    name: 'matches of one path are not counted', file: `${engine}/work-budget.ts`,
    find: 'if (count > this.limits.matches) throw', replace: 'if (count > Infinity) throw', notice: unit('flow-engine/src/work-budget'),
  },
  {
    name: 'steps of work are not counted', file: `${engine}/work-budget.ts`,
    find: 'if (this.steps > this.limits.steps)\n      throw', replace: 'if (this.steps > Infinity) throw', notice: unit('flow-engine/src/work-budget'),
  },
  {
    name: 'a replacement may be of any length', file: `${engine}/transforms/pattern-transforms.ts`,
    find: 'budget.produce(text.length + places * (replacement.length - search.length), text.length);', replace: '',
    notice: unit('flow-engine/src/work-budget'),
  },
  {
    name: 'a union may name a member twice', file: `${engine}/expressions/json-path.ts`,
    find: 'if (repeated !== null) throw', replace: 'if (false) throw', notice: unit('flow-engine/src/expressions/json-path'),
  },
  {
    name: 'the texts of a record are not counted together', file: `${engine}/mapping/projection.ts`,
    find: 'if (length > projectionLength) return', replace: 'if (length > Infinity) return', notice: unit('flow-engine/src/work-budget'),
  },
  {
    name: 'a condition over its bounds throws', file: `${engine}/flows/step-machine.ts`,
    find: 'if (!(error instanceof ExpressionLimitError)) throw error;', replace: 'throw error;', notice: unit('flow-engine/src/flows/step-machine'),
  },
  {
    name: 'a suspect runs beside others', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: 'if (alone) return this.afterCalm(', replace: 'if (!alone) return this.afterCalm(', notice: unit('crash-watch/crash-watch'),
  },
  {
    name: 'deaths are not counted when a partition is taken', file: 'packages/adapters/store-postgres/src/run/crash-watch.ts',
    find: 'deaths + (begun AND NOT alone)::int', replace: 'deaths + 1', notice: { project: 'integration', pattern: 'run-stores' },
  },
  {
    name: 'a unit is tried again after any number of deaths', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: 'if (aloneDeaths >= this.options.aloneDeaths) return', replace: 'if (aloneDeaths >= Infinity) return', notice: unit('crash-watch/crash-watch'),
  },
  {
    name: 'a watched event is planned without a note', file: 'services/flow-runner/src/planning/plan-watched.ts',
    find: 'deps.crashWatch.prepare(unit, {', replace: "deps.crashWatch.prepare({ ...unit, lease: { topic: '', partition: 0, epoch: 0n } }, {",
    notice: unit('intake/watched-intake'),
  },
  {
    name: 'a watched batch is decoded before it is noted', file: 'services/flow-runner/src/intake/partition-intake.ts',
    find: 'watched ? readHead : decodeEnvelope', replace: 'decodeEnvelope', notice: unit('intake/watched-intake'),
  },
  {
    name: 'a held event is suspected one death too late', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: '(offset < windowEnd ?', replace: '(offset < windowEnd && offset >= windowEnd - 400n ?',
    notice: unit('crash-watch/crash-watch'),
  },
  {
    name: 'deaths beside others end an event', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: 'if (aloneDeaths >= this.options.aloneDeaths)', replace: 'if (deaths + aloneDeaths > this.options.aloneDeaths)',
    notice: unit('crash-watch/random-kills'),
  },
  {
    name: 'a unit is tried alone a second time as soon as its runner starts', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: 'this.calmUntil = now + calmMs;', replace: 'this.calmUntil = now;', notice: unit('crash-watch/random-kills'),
  },
  {
    name: 'a death without the suspect is held against it', file: 'packages/ports/src/testing/run-store/memory-crash-watch.ts',
    find: 'if (!one.begun) one.aloneDeaths = 0;', replace: 'if (!one.begun) continue;', notice: unit('ports/src/testing/run-store/memory-run-store'),
  },
  {
    name: 'a death without the suspect is held against it in Postgres', file: 'packages/adapters/store-postgres/src/run/crash-watch.ts',
    find: 'ELSE 0 END', replace: 'ELSE alone_deaths END', notice: { project: 'integration', pattern: 'run-stores' },
  },
  {
    name: 'suspects are not tried in groups', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: 'deaths >= groupFrom ? this.solo.grouped(begin)', replace: 'deaths >= Infinity ? this.solo.grouped(begin)', notice: unit('crash-watch/crash-watch'),
  },
  {
    name: 'an attempt that ended well stays suspected', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: '?.suspects.delete(unitKeyText(note.unit));', replace: ';', notice: unit('crash-watch/crash-watch'),
  },
  {
    name: 'the note of a planned event stays', file: 'services/flow-runner/src/crash-watch/crash-watch.ts',
    find: 'await this.ask(this.ends, note);', replace: '', notice: unit('intake/watched-intake'),
  },
  {
    name: 'each lost lease joins the group again', file: 'packages/service-kit/src/reading/topic-reader.ts',
    find: 'if (this.asked || this.stopped) return;', replace: 'if (this.stopped) return;',
    notice: { project: 'unit', pattern: 'service-kit/src/reading/topic-reader' },
  },
  {
    name: 'a lost lease does not join the group again', file: 'services/flow-runner/src/runner/topic-runner.ts',
    find: '    this.reader.renew();\n  }', replace: '  }',
    notice: { project: 'integration', pattern: 'flow-runner/src/runner/runner.integration' },
  },
];
