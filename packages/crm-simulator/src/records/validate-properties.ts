import { liveProperty } from '../stores/definition-store';
import type { PropertyDefinition } from '../stores/property-definition';
import { checkValue, type BadValue, type CheckedValue } from '../definitions/validate-value';
import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import { resolveStage } from './resolve-stage';

type Values = Record<string, string>;

/** Accepted values as they will be stored (`''` clears), or why the write is refused. */
export type ValidatedProperties =
  { readonly ok: true; readonly values: Values } | { readonly ok: false; readonly problem: Problem };

interface InvalidValue extends BadValue {
  readonly name: string;
}

const lifecycleOrder = [
  'subscriber',
  'lead',
  'marketingqualifiedlead',
  'salesqualifiedlead',
  'opportunity',
  'customer',
  'evangelist',
  'other',
];

/** The one 400 that lists every property that was not valid, embedded and as `errors` (docs/reference/crm-api.md, Errors). */
function invalidValues(bad: readonly InvalidValue[], portalId: number): Problem {
  const embedded = bad.map(({ name, message, code }) => ({
    isValid: false,
    message,
    error: code,
    name,
    localizedErrorMessage: message,
    portalId,
  }));
  return invalid(`Property values were not valid: ${JSON.stringify(embedded)}`, {
    errors: bad.map(({ name, message, code }) => ({ message, code, context: { propertyName: [name] } })),
  });
}

/** Numbers and booleans are accepted and kept as text; null clears. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function checkOwner(portal: PortalState, text: string): CheckedValue {
  return portal.owners.some((owner) => owner.id === text && !owner.archived)
    ? { value: text }
    : {
        code: 'INVALID_OPTION',
        message: `${text} was not one of the allowed options: [${portal.owners.map((owner) => owner.id).join(', ')}]`,
      };
}

/** `;c` appends to a multi-checkbox, anything else replaces it. */
function appendOptions(definition: PropertyDefinition, text: string, existing: string | undefined): string {
  if (definition.fieldType !== 'checkbox' || !text.startsWith(';')) return text;
  return [...new Set([...(existing?.split(';') ?? []), ...text.split(';')])].filter((part) => part !== '').join(';');
}

function checkOne(
  portal: PortalState,
  definition: PropertyDefinition,
  text: string,
  existing: Readonly<Values> | undefined,
): CheckedValue {
  if (definition.rule === 'owner') return checkOwner(portal, text);
  return checkValue(definition, appendOptions(definition, text, existing?.[definition.name]));
}

/** A lifecycle stage only moves forward; a backward value is silently ignored: the answer shows the present one. */
function movesBackward(definition: PropertyDefinition, value: string, existing: Readonly<Values> | undefined): boolean {
  const held = existing?.[definition.name];
  return (
    definition.rule === 'lifecycle' &&
    held !== undefined &&
    lifecycleOrder.includes(held) &&
    lifecycleOrder.indexOf(value) < lifecycleOrder.indexOf(held)
  );
}

/**
 * Checks the `properties` of one write against the portal's definitions.
 * @param existing the record's stored properties, undefined for a create
 * @param systemAllowed edits of the control surface may set read-only properties
 */
export function validateProperties(
  portal: PortalState,
  type: ObjectType,
  given: Readonly<Record<string, unknown>>,
  existing?: Readonly<Values>,
  systemAllowed = false,
): ValidatedProperties {
  const { definitions } = portal.space(type);
  const values: Values = {};
  const bad: InvalidValue[] = [];
  for (const name in given) {
    if (given[name] === undefined) continue;
    const text = asText(given[name]);
    if (text === undefined)
      return {
        ok: false,
        problem: invalid(`Invalid input JSON on line 1, column 2: Cannot deserialize the value of property ${name} as a string`),
      };
    const definition = liveProperty(definitions, name);
    if (!definition) {
      bad.push({ name, code: 'PROPERTY_DOESNT_EXIST', message: `Property "${name}" does not exist` });
    } else if (definition.readOnlyValue && !systemAllowed) {
      bad.push({ name, code: 'READ_ONLY_VALUE', message: `"${name}" is a read only property; its value cannot be set.` });
    } else if (text === '' || (systemAllowed && definition.readOnlyValue)) {
      values[name] = text;
    } else {
      const checked = checkOne(portal, definition, text, existing);
      if ('code' in checked) bad.push({ name, ...checked });
      else values[name] = movesBackward(definition, checked.value, existing) ? existing![name]! : checked.value;
    }
  }
  const stage = resolveStage(portal, type, values, existing);
  if (stage && 'code' in stage) bad.push(stage);
  if (bad.length > 0) return { ok: false, problem: invalidValues(bad, portal.portalId) };
  return { ok: true, values: stage && 'set' in stage ? { ...values, ...stage.set } : values };
}
