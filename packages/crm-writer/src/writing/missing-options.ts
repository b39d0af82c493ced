import type { CallFailure, CallResult, CrmPropertyDefinition, PropertyValue, RecordWrite } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import { noteLifeCycleStage } from './life-cycle-stage';
import { createOneAtATime } from '../batching/one-at-a-time';
import type { PortalSession } from '../session/portal-session';
import { RefusedProperties, type SentWrite } from './refused-properties';
import { refusedValues } from './refused-values';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/**
 * Appends the dropdown options that the values of a record lack (ADR 0024). The refusal of the CRM names them: a check before
 * every write would cost a call although the option nearly always exists. Best effort: a record whose option cannot be added
 * keeps the refusal.
 */
export interface MissingOptions {
  /** Sends a write, and again when the options it was refused for could be added, or the properties left out. */
  writing<T>(unit: UnitContext, write: RecordWrite, send: () => Promise<CallResult<T>>): Promise<CallResult<T>>;
}

/** Another process may replace the list at the same moment, without our option. */
const maxRounds = 3;

/** Their options are pipelines and stages with ids of their own, or steps in an order that the CRM gives. */
const neverAppended: ReadonlySet<string> = new Set([
  'pipeline',
  'dealstage',
  'hs_pipeline',
  'hs_pipeline_stage',
  'lifecyclestage',
]);

export function createMissingOptions(
  parts: Pick<WriterParts, 'activity' | 'catalog' | 'monotonicNow'>,
  session: PortalSession,
): MissingOptions {
  const { activity, catalog, monotonicNow } = parts;
  const refused = new RefusedProperties(parts, session);
  /** The CRM replaces the whole list of options: one write of this process at a time reads it, adds to it and writes it. */
  const alone = createOneAtATime(activity);
  const add = async (unit: UnitContext, objectType: string, property: string, value: PropertyValue): Promise<boolean> => {
    const known = await catalog.definition(session, objectType, property);
    // What is cached may be older than the property.
    if (!known.ok || (known.value && !mayGrow(known.value))) return false;
    catalog.forget(session, objectType);
    const now = await catalog.definition(session, objectType, property);
    if (!now.ok || !now.value || !mayGrow(now.value)) return false;
    const options = now.value.options ?? [];
    const missing = valuesOf(now.value, value).filter((one) => !options.some((option) => option.value === one));
    if (missing.length === 0) return true;
    const list = [
      ...options,
      ...missing.map((one, index) => ({ label: one, value: one, displayOrder: options.length + index, hidden: false })),
    ];
    const answer = await callForUnit({ activity, session }, unit, 'write', (client, access, call) =>
      client.updatePropertyOptions(access, objectType, property, list, call),
    );
    catalog.forget(session, objectType);
    return answer.ok;
  };
  const addAll = async (unit: UnitContext, { objectType, properties }: RecordWrite, refusal: CallFailure): Promise<boolean> => {
    const refused = refusedOptions(refusal);
    for (const property of refused) {
      const value = properties[property];
      if (value === undefined || !(await alone(`${objectType} ${property}`, () => add(unit, objectType, property, value))))
        return false;
    }
    return refused.length > 0;
  };
  const mend = async (sent: SentWrite & { unit: UnitContext }, refusal: CallFailure): Promise<boolean> =>
    (await refused.leaveOut(sent, refusal)) || addAll(sent.unit, sent.write, refusal);
  /** The answer of the last sending of a write that was refused at first. */
  const mended = async <T>(
    sent: SentWrite & { unit: UnitContext }, refusal: CallFailure, send: () => Promise<CallResult<T>>,
  ): Promise<CallResult<T>> => {
    let answer: CallResult<T> = refusal;
    for (let round = 0; round < maxRounds && !answer.ok && (await mend(sent, answer)); round += 1) {
      sent.sentAt = monotonicNow();
      answer = await send();
    }
    return answer;
  };
  return {
    writing: async (unit, write, send) => {
      const checked = refused.leaveOutKnown({ unit, write });
      if (checked) await checked;
      const sentAt = monotonicNow();
      const first = await send();
      const answer = first.ok ? first : await mended({ unit, write, sentAt, insistedOn: new Set() }, first, send);
      if (answer.ok) noteLifeCycleStage(write, answer.value);
      return answer;
    },
  };
}

/** The properties whose options were missing; none when something else was wrong too. */
function refusedOptions(refusal: CallFailure): string[] {
  const refused = refusedValues(refusal);
  return refused.every(({ error }) => error === 'INVALID_OPTION') ? [...new Set(refused.map(({ name }) => name))] : [];
}

function mayGrow({ name, type, fieldType, externalOptions, readOnly, readOnlyOptions }: CrmPropertyDefinition): boolean {
  const fixed = externalOptions === true || readOnly === true || readOnlyOptions === true || neverAppended.has(name);
  return type === 'enumeration' && fieldType !== 'calculation_equation' && !fixed;
}

/** Check boxes take several values, `a;b`; a leading `;` adds to those that are set (docs/reference/crm-api.md, Writing). */
function valuesOf({ fieldType }: CrmPropertyDefinition, value: PropertyValue): string[] {
  const text = value === null ? '' : String(value);
  return (fieldType === 'checkbox' ? text.split(';') : [text]).map((one) => one.trim()).filter((one) => one !== '');
}
