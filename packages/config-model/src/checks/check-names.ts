import type { Flow } from '@sluice/contracts';
import { sourceKeys } from '@sluice/flow-engine';
import { problem, type Problem } from '../document/problem';
import type { Placed, ValidParts } from '../document/valid-parts';

/** Names and labels that must be unique, and (source, event_type) pairs that two flows claim. */
export function* checkNames(parts: ValidParts): Generator<Problem> {
  yield* repeated('entities', 'entity', parts);
  yield* repeated('flows', 'flow', parts);
  yield* repeated('sources', 'source', parts);
  yield* repeatedStepIds(parts);
  yield* repeatedPairs(parts);
  yield* repeatedStages(parts);
}

function repeated(list: 'entities' | 'flows' | 'sources', word: string, parts: ValidParts): Problem[] {
  const seen = new Set<string>();
  const placed: Placed<{ name: string }>[] = parts[list];
  return placed.flatMap(({ index, value }) => {
    if (!parts.isSound([list, index, 'name'])) return [];
    const again = seen.has(value.name);
    seen.add(value.name);
    return again
      ? [problem('duplicate_name', [list, index, 'name'], `more than one ${word} is named '${value.name}'`, value.name)]
      : [];
  });
}

function repeatedStepIds({ steps }: ValidParts): Problem[] {
  const seen = new Map<Flow, Set<string>>();
  return steps.flatMap(({ loc, step, flow }) => {
    const ids = seen.get(flow) ?? new Set<string>();
    seen.set(flow, ids);
    const again = typeof step.id === 'string' && ids.has(step.id);
    ids.add(step.id);
    return again
      ? [problem('duplicate_step_id', [...loc, 'id'], `step id '${step.id}' is used twice in flow '${flow.name}'`, step.id)]
      : [];
  });
}

function repeatedPairs(parts: ValidParts): Problem[] {
  const keyOf = sourceKeys(parts.config);
  const first = new Map<string, string>();
  return parts.flows.flatMap(({ index, value: flow }) => {
    if (!['source', 'event_type'].every((field) => parts.isSound(['flows', index, field]))) return [];
    const key = JSON.stringify([keyOf(flow.source), flow.event_type]);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, flow.name);
      return [];
    }
    const msg = `flows '${other}' and '${flow.name}' both take (${flow.source}, ${flow.event_type}): put branches in one flow with a 'when' per step`;
    return [problem('duplicate_flow_event', ['flows', index, 'event_type'], msg, flow.event_type)];
  });
}

/** To the CRM labels are the same when they differ in case only. */
function repeatedStages({ config: { pipelines = [] }, isSound }: ValidParts): Problem[] {
  if (!isSound(['pipelines'])) return [];
  return pipelines.flatMap(({ label: pipeline, stages }, index) => {
    const seen = new Set<string>();
    return stages.flatMap(({ label }, position) => {
      const again = seen.has(label.toLowerCase());
      seen.add(label.toLowerCase());
      const loc = ['pipelines', index, 'stages', position, 'label'];
      const msg = `more than one stage of pipeline '${pipeline}' is named '${label}'`;
      return again ? [problem('duplicate_name', loc, msg, label)] : [];
    });
  });
}
