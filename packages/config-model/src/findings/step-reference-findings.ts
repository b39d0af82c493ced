import type { ConfigDocument, Flow, Step } from '@sluice/contracts';
import { finding, type Finding } from './finding';
import { stepReads, type StepRead } from './step-reads';

/** Actions whose output says whether they found something. */
const finders: readonly string[] = ['find', 'find_associated'];

/**
 * Places in steps that name a step whose output they can never see: none of the flow has the id, it runs later, or `found` asks a
 * step that looks for nothing. One finding for each step and name.
 */
export function stepReferenceFindings(config: ConfigDocument): Finding[] {
  return config.flows.flatMap((flow, flowIndex) => {
    const positions = new Map(flow.steps.map(({ id }, position) => [id, position]));
    return flow.steps.flatMap((step, position) => {
      const field = `flows.${flowIndex}.steps.${position}`;
      return firstOfEach(stepReads(step)).flatMap((read) => {
        const fault = faultOf(read, { flow, position, positions });
        return fault === null ? [] : [toFinding({ ...fault, step, flow, field: [field, ...read.path].join('.') })];
      });
    });
  });
}

/** A step may name another one in thousands of places: the first tells of it. */
function firstOfEach(reads: readonly StepRead[]): StepRead[] {
  const seen = new Set<string>();
  return reads.filter(({ stepId, isFound }) => {
    const key = `${isFound} ${stepId}`;
    return !seen.has(key) && seen.add(key);
  });
}

type Fault = Pick<Finding, 'code' | 'message' | 'suggestion'>;

interface Place {
  flow: Flow;
  position: number;
  positions: ReadonlyMap<string, number>;
}

function faultOf({ stepId, text, isFound }: StepRead, { flow, position, positions }: Place): Fault | null {
  const earlier = flow.steps.slice(0, position).map(({ id }) => id);
  const suggestion = earlier.length === 0 ? 'No step comes before it.' : `Steps before it: ${earlier.slice(-20).join(', ')}.`;
  const named = isFound ? `asks whether '${text}' found something` : `reads '${text}'`;
  const found = positions.get(stepId);
  if (found === undefined)
    return { code: 'unknown_step_reference', message: `${named}, and its flow has no step '${stepId}'`, suggestion };
  if (found >= position) {
    const when = found === position ? 'which is the step itself' : 'which runs later';
    return { code: 'later_step_reference', message: `${named}, ${when}`, suggestion };
  }
  const { action } = flow.steps[found]!;
  if (!isFound || finders.includes(action)) return null;
  return {
    code: 'found_of_other_action', message: `${named}, whose action '${action}' looks for nothing: it is never true`,
    suggestion: `'found' asks a step of ${finders.join(' or ')}; of others, a condition can read a field of the output.`,
  };
}

const toFinding = ({ step, flow, field, message, ...fault }: Fault & { step: Step; flow: Flow; field: string }): Finding =>
  finding({ severity: 'error', ...fault, message: `step '${step.id}' ${message}`, field, event_flow: flow.name });
