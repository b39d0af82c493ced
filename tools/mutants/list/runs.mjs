const run = 'packages/flow-run/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'a cancelled attempt begins its next step', file: `${run}/run-flow.ts`, find: 'signal.aborted ? cancelled : (endedBefore', replace: '(endedBefore', notice: unit('flow-run/src/run-flow') },
  { name: 'traces: a long list is kept whole', file: `${run}/bounded-value.ts`, find: 'if (copied.length >= this.bounds.entries || this.left <= 0) break;', replace: '', notice: unit('flow-run/src/bounded-value') },
  { name: 'traces: a text is cut before its secrets are taken out', file: `${run}/bounded-value.ts`, find: 'cutText(this.mask(whole), Math.max(0, Math.min(this.bounds.text, this.left)))', replace: 'this.mask(cutText(whole, Math.max(0, Math.min(this.bounds.text, this.left))))', notice: unit('flow-run/src/bounded-value') },
  { name: 'traces: a secret sent as basic authentication is shown', file: 'packages/ports/src/shared/secret-mask.ts', find: "[bytes, Buffer.concat([bytes, Buffer.from(':')])]", replace: '[bytes]', notice: unit('ports/src/shared/secret-mask') },
  { name: 'traces: one step uses all the room', file: `${run}/step-trace.ts`, find: 'const largestPart = 4;', replace: 'const largestPart = 1;', notice: unit('flow-run/src/run-flow') },
  { name: 'rows: errors show secrets', file: `${run}/run-flow.ts`, find: 'message: keptText(outcome.failure.message, rules)', replace: 'message: outcome.failure.message', notice: unit('flow-run/src/run-flow') },
  { name: 'rows: the version that ran is not named', file: 'services/flow-runner/src/units/rows/record-row.ts', find: 'configVersion: facts.configVersion,', replace: 'configVersion: null,', notice: unit('flow-runner/src/units/attempts/record-outcomes') },
  { name: 'status: the text of a skip step is taken for a reason of Sluice', file: 'services/ingest-api/src/status/status-answer.ts', find: ' && steps.length === 0', replace: ' && steps.length >= 0', notice: unit('ingest-api/src/status/event-status') },
  { name: 'status: a replay that was asked for does not show', file: 'services/ingest-api/src/status/event-status.ts', find: '[...waiting, ...replays]', replace: '[...waiting]', notice: unit('ingest-api/src/status/event-status') },
  { name: 'status: a lost replay is waited for forever', file: 'services/ingest-api/src/status/event-status.ts', find: ' && facts.now - replay.askedAt <= facts.stuckAfterMs', replace: '', notice: unit('ingest-api/src/status/event-status') },
  { name: 'status: a replay of an old event counts as expired', file: 'services/ingest-api/src/status/event-status.ts', find: ', ...replays.map(({ askedAt }) => askedAt),', replace: ',', notice: unit('ingest-api/src/status/event-status') },
  { name: 'status: the version that ran is missing', file: 'services/ingest-api/src/status/status-answer.ts', find: 'config_version: row.configVersion,', replace: 'config_version: null,', notice: unit('ingest-api/src/status/event-status') },
  { name: 'verify: numbers are compared as texts', file: `${run}/verify/same-value.ts`, find: 'return sameNumber(wanted, held);', replace: 'return false;', notice: unit('flow-run/src/verify/same-value') },
  { name: 'verify: an earlier value of a record counts', file: `${run}/verify/verify-records.ts`, find: '{ ...same.expected, ...wish.expected }', replace: '{ ...wish.expected, ...same.expected }', notice: unit('flow-run/src/verify/verify-event') },
  { name: 'verify: a record without a mapping is missing', file: `${run}/verify/verify-records.ts`, find: 'if (identityProperty === null || identityValue === null)', replace: 'if (identityProperty !== null || identityValue === null)', notice: unit('flow-run/src/verify/verify-event') },
  { name: 'verify: a cut output counts as complete', file: `${run}/verify/known-outputs.ts`, find: "if (typeof value === 'string') return !/", replace: "if (typeof value === 'string') return true || !/", notice: unit('flow-run/src/verify/verify-event') },
  { name: 'verify: steps use what they find now', file: `${run}/verify/known-outputs.ts`, find: 'if (output) return {', replace: 'if (output && isExternal(step)) return {', notice: unit('flow-run/src/verify/verify-event') },
  { name: 'cli: a failed record ends well', file: 'packages/cli/src/run-flow-command.ts', find: 'fine.has(outcome)) ? 0 : 1', replace: 'fine.has(outcome)) ? 0 : 0', notice: unit('packages/cli/src/run-cli') },
  { name: 'cli: a config with problems runs', file: 'packages/cli/src/run-flow-command.ts', find: 'if (problems.length > 0)', replace: 'if (problems.length > 1_000)', notice: unit('packages/cli/src/run-cli') },
];
