import { type Source, standardObjectType } from '@sluice/contracts';
import type { CrmConfig } from './crm/crm.source';
import { defaultEventTypeOf } from './event-type-of';
import { readConfig } from './read-config';
import { findSource } from './registry';

/** Event types that a source gives. */
export interface EmittedTypes {
  /** For people, for example `'shop.polled'`. */
  words: string;
  /** Whether one of them is the type of a flow, or is below its wildcard `<prefix>.*`. */
  start(flowType: string): boolean;
}

type Declared = Pick<Source, 'name' | 'type' | 'config'>;

/**
 * The event types that a source whose config fits its schema can give; null when it gives no events. What a path, a header or a
 * caller names may be any type.
 */
export function emittedTypes(source: Declared): EmittedTypes | null {
  const definition = findSource(source.type);
  if (source.type === 'rest' || !definition) return null;
  const config: Record<string, unknown> = readConfig(source.config);
  if (source.type === 'event_api' || config.event_type_path !== undefined || config.event_type_header !== undefined) return any;
  if (typeof config.event_type === 'string') return exactly(config.event_type);
  if (source.type === 'crm') return journal(config);
  const named = defaultEventTypeOf(source);
  return named === null ? any : exactly(named);
}

const any: EmittedTypes = { words: 'of any type', start: () => true };

const exactly = (type: string): EmittedTypes => ({
  words: `'${type}'`,
  start: (flowType) => flowType === type || (flowType.endsWith('.*') && type.startsWith(flowType.slice(0, -1))),
});

/** `<object type id>.<action>`: of the triggers, else of every type. */
function journal({ triggers = [] }: CrmConfig): EmittedTypes {
  return {
    words: `<object type id>.<create, update or delete>${triggers.length > 0 ? ' of its triggers' : ''}`,
    start: (flowType) => {
      const [, id, action = ''] = /^(\d+-\d+)\.(create|update|delete|\*)$/.exec(flowType) ?? [];
      if (id === undefined) return false;
      const takes = ({ object_type: type, actions: some }: Trigger): boolean =>
        mayBe(type, id) && (action === '*' || some === undefined || some.some((one) => one === action));
      return triggers.length === 0 || triggers.some(takes);
    },
  };
}

type Trigger = NonNullable<CrmConfig['triggers']>[number];

/** Only the portal knows the id of a custom type that a trigger names by its name: it may be any that is not a standard one. */
function mayBe(type: string, id: string): boolean {
  const [named, standard] = [standardObjectType(type), standardObjectType(id)];
  if (named !== null || standard !== null) return named === standard;
  return !/^\d+-\d+$/.test(type) || type === id;
}
