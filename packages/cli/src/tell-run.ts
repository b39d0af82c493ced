import type { DryRun } from '@sluice/flow-run';

type RanStep = DryRun['steps'][number];

const marks: Record<RanStep['status'], string> = {
  ok: '✓', skipped: '-', failed: '✗', not_verifiable: '?', not_executed: '?',
};

/** A readable report of a run: a line for each step, what it would send, and its result. */
export function tellRun({ flow, steps, outcome, reason }: DryRun, eventType: string): string {
  const widest = (texts: string[]): number => Math.max(4, ...texts.map(({ length }) => length));
  const widths = [widest(steps.map(({ id }) => id)), widest(steps.map(({ action }) => action))] as const;
  const told = steps.flatMap((step) => tellStep(step, widths));
  const ended = reason === null ? outcome : `${outcome}: ${reason}`;
  return [`Flow '${flow}' for an event of type '${eventType}'`, ...told, `Outcome: ${ended}`].join('\n');
}

function tellStep(step: RanStep, [idWidth, actionWidth]: readonly [number, number]): string[] {
  const { id, action, status, error, reason } = step;
  const why = error ? `${error.message} (${error.code})` : (step.not_executed_reason ?? reason);
  const ended = why === null ? status : `${status}: ${why}`;
  const head = `  ${marks[status]} ${id.padEnd(idWidth)}  ${action.padEnd(actionWidth)}  ${ended}`;
  const requests = [step.request, ...(step.further_requests ?? [])].filter((request) => request !== null);
  const notes = [
    ...requests.map((request) => `would send ${compact(request)}`),
    ...(step.output === null ? [] : [`gives ${compact(step.output)}`]),
    ...(step.simulated_existing_record ? ['the record is taken to exist'] : []),
    ...(step.stubbed_external_response ? ['the answer is dry_run_response of the destination, else an empty 200'] : []),
    ...(step.simulated_identity_note === undefined ? [] : [step.simulated_identity_note]),
  ];
  return [head, ...notes.map((note) => `      ${note}`)];
}

/** JSON on one line; undefined fields are left out. */
function compact(value: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)));
}
