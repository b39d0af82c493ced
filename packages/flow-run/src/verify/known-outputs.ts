import type { Step } from '@sluice/contracts';
import { type CompiledFlow, type CompiledStep, done, type StepOutput } from '@sluice/flow-engine';
import type { StepTrace } from '@sluice/ports';

/** Actions that reach beyond the CRM: verify does not repeat them. */
const external: ReadonlySet<string> = new Set([
  'post',
  'notify',
  'plugin',
  'export_file',
  'upload_file',
  'delete_attachments',
  'submit_form',
]);

/** Reads of the CRM: their results in the run decided what was written, not what they would find now. */
const reads: ReadonlySet<string> = new Set(['find', 'find_associated', 'query']);

const isExternal = ({ action, target }: Step): boolean =>
  external.has(action) || (typeof target === 'string' && target !== 'crm');

/** Whether a trace has the whole output; cut values are marked (`bounded-value.ts`). */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return !/… \(\+\d+ (characters|items)\)$/.test(value) && value !== '…';
  if (value === null || typeof value !== 'object') return true;
  return !Object.hasOwn(value, '…') && Object.values(value).every(isWhole);
}

/** A flow prepared for verify. */
export interface FlowToVerify<Ports> {
  flow: CompiledFlow<Ports>;
  /** Why the values of a step are not known; null: they are. */
  unknownIn(stepId: string): string | null;
}

/** The flow with the steps replaced whose outputs are known from the run, or cannot be known. */
export function withKnownOutputs<Ports>(flow: CompiledFlow<Ports>, traces: readonly StepTrace[]): FlowToVerify<Ports> {
  const authored = new Map(flow.flow.steps.map((step) => [step.id, step]));
  const recorded = new Map<string, StepOutput>();
  for (const { id, status, output } of traces)
    if (status === 'ok' && output !== null && typeof output === 'object' && isWhole(output))
      recorded.set(id, output as StepOutput);
  const unknown: string[] = [];
  const steps = flow.steps.map((compiled): CompiledStep<Ports> => {
    const step = authored.get(compiled.id);
    const output = step && recorded.get(step.id);
    // A create whose record already existed wrote nothing.
    const unneeded = step?.action === 'create' && output?.skipped === true;
    if (!step || !(isExternal(step) || reads.has(step.action) || unneeded)) return compiled;
    if (output) return { ...compiled, run: () => Promise.resolve(done(output)) };
    if (!isExternal(step)) return compiled;
    unknown.push(step.id);
    return { ...compiled, run: () => Promise.resolve(done({})) };
  });
  const entityText = (name: unknown): string => {
    const entity = typeof name === 'string' ? flow.entities.get(name) : undefined;
    return entity
      ? [...entity.projections.values()].flatMap(({ references }) => references.map(({ text }) => text)).join(' ')
      : '';
  };
  return {
    flow: { ...flow, steps },
    unknownIn: (stepId) => {
      const step = authored.get(stepId);
      const text = step ? `${JSON.stringify(step)} ${entityText(step.entity)}` : '';
      const read = unknown.find((id) => text.includes(`$${id}.`) || text.includes(`$${id}[`));
      return read === undefined ? null : `it needs the output of step '${read}', which is not known any more`;
    },
  };
}
