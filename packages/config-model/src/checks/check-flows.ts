import { checkStep, describedAction } from '@sluice/actions';
import type { Flow, Step } from '@sluice/contracts';
import { compileWhen } from '@sluice/flow-engine';
import { expression } from './check-entities';
import { problem, type Loc, type Problem } from '../document/problem';
import type { Placed, PlacedStep, ValidParts } from '../document/valid-parts';

/** Every step against its action, conditions, action versions, and the flow's switches. */
export function* checkFlows(parts: ValidParts): Generator<Problem> {
  for (const flow of parts.flows) yield* checkSwitches(flow);
  for (const placed of parts.steps) yield* checkOne(placed, parts);
}

/** Parts with problems of the structure check are not checked further. */
function checkOne({ loc, step, flow }: PlacedStep, parts: ValidParts): Problem[] {
  const found = parts.isSound([...loc, 'action']) ? checkStep({ step, flow, config: parts.config }) : [];
  const told = found.filter(
    (one) => parts.isSound([...loc, ...one.path]) && (one.type !== 'fields_allowlist' || parts.allEntities),
  );
  return [
    ...told.map((one) => problem(one.type, [...loc, ...one.path], one.msg, one.input)),
    ...expression([...loc, 'when'], step.when, compileWhen),
    ...checkVersion(step, parts.version, loc),
  ];
}

function checkVersion(step: Step, version: string | null, loc: Loc): Problem[] {
  if (version !== '3.0' || describedAction(step.action)?.min_version !== '3.1') return [];
  return [
    problem('action_requires_version', [...loc, 'action'], `action '${step.action}' requires config version 3.1`, step.action),
  ];
}

function checkSwitches({ index, value: flow }: Placed<Flow>): Problem[] {
  if (flow.narrow_outbound_projection !== true || flow.freshness_check !== false) return [];
  const loc = ['flows', index, 'narrow_outbound_projection'];
  return [problem('value_error', loc, `'narrow_outbound_projection' requires freshness_check true on the same flow`, true)];
}
