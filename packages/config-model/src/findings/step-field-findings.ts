import { allActions, describedAction } from '@sluice/actions';
import type { ConfigDocument, Step } from '@sluice/contracts';
import { stepKeys } from '../document/config-schema';
import { finding, type Finding } from './finding';

/** Step fields that nothing reads, and those that belong to another action. */
export function stepFieldFindings(config: ConfigDocument): Finding[] {
  return config.flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, stepIndex) => {
      const place = { field: `flows.${flowIndex}.steps.${stepIndex}`, event_flow: flow.name, entity: entityOf(step) };
      return [...unreadFields(step, place), ...replaceWithoutItems(step, place)];
    }),
  );
}

type Place = Pick<Finding, 'field' | 'event_flow' | 'entity'>;

function unreadFields(step: Step, place: Place): Finding[] {
  const action = describedAction(step.action);
  if (!action) return [];
  return Object.keys(step)
    .filter((key) => !stepKeys.includes(key) && !Object.hasOwn(action.configSchema.properties, key))
    .map((key) => unread(step, key, { ...place, field: `${place.field}.${key}` }));
}

/** Which actions read a field. */
const readers = new Map<string, string[]>();
for (const { name, configSchema } of allActions())
  for (const field of Object.keys(configSchema.properties)) readers.set(field, [...(readers.get(field) ?? []), name]);

function unread({ id, action }: Step, key: string, place: Place): Finding {
  const others = readers.get(key);
  if (!others) {
    return finding({
      ...place,
      severity: 'warning',
      code: 'unknown_step_key',
      message: `step '${id}' has the key '${key}', which is kept and ignored`,
      suggestion: 'Remove it, or correct its spelling.',
    });
  }
  return finding({
    ...place,
    severity: 'warning',
    code: 'typed_step_field_wrong_action',
    message: `step '${id}' has the field '${key}', which the action '${action}' does not read`,
    suggestion: `'${key}' is a field of ${others.join(', ')}.`,
  });
}

function replaceWithoutItems({ id, action, replace, items }: Step, place: Place): Finding[] {
  if (action !== 'associate' || replace !== true || items !== undefined) return [];
  return [
    finding({
      ...place,
      severity: 'error',
      code: 'associate_replace_without_items',
      message: `step '${id}' has replace without items: there is no list to compare with`,
      field: `${place.field}.replace`,
      suggestion: 'Name the list in items, or remove replace.',
    }),
  ];
}

function entityOf({ entity }: Step): string | null {
  return typeof entity === 'string' ? entity : null;
}
