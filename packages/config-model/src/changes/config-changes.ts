import { type ConfigDocument, withoutCoordinates } from '@sluice/contracts';
import { deepEqual } from '@sluice/flow-engine';
import { changedPlaces } from './changed-places';

type Verb = 'added' | 'modified' | 'removed';
export type ConfigChangeType =
  | `${'entity' | 'event_flow' | 'source' | 'conflicts' | 'pipelines' | 'ingress_profile'}_${Verb}`
  | 'settings_modified';

/** One difference between two configs, in readable words. */
export interface ConfigChange {
  type: ConfigChangeType;
  detail: string;
  /** Name of the entity, flow or source; null where the change is of another part. */
  entity: string | null;
  event_flow: string | null;
  source: string | null;
}

const lists = [
  { key: 'entities', field: 'entity', word: 'Entity' },
  { key: 'flows', field: 'event_flow', word: 'Flow' },
  { key: 'sources', field: 'source', word: 'Source' },
] as const;
const blocks = ['conflicts', 'pipelines', 'ingress_profile'] as const;

/**
 * The changes from one config to another; empty exactly when both are equal. Members of a list are matched by their names.
 * @param from null: nothing was published yet. Then an empty part is no change, whatever the version of the document.
 * @param given what it says in the resolved fields of plugins does not count
 */
export function configChanges(from: ConfigDocument | null, given: ConfigDocument): ConfigChange[] {
  const to = withoutCoordinates(given);
  const before = from ?? { version: to.version, entities: [], flows: [], sources: [] };
  const after = from ? to : withoutEmptyParts(to);
  return [
    ...lists.flatMap((list) => listChanges(list, before[list.key], after[list.key])),
    ...blocks.flatMap((block) => blockChanges(block, before[block], after[block])),
    ...settingsChanges(before, after),
  ];
}

/** Whether a draft has anything that is not published. */
export function hasChanges(from: ConfigDocument | null, to: ConfigDocument): boolean {
  // A version that was published before sources were part of the config has no such list.
  return from ? !deepEqual({ ...from, sources: from.sources ?? [] }, withoutCoordinates(to)) : configChanges(null, to).length > 0;
}

const isEmpty = (part: unknown): boolean => typeof part === 'object' && part !== null && Object.keys(part).length === 0;

function withoutEmptyParts(config: ConfigDocument): ConfigDocument {
  const optional = ['settings', ...blocks] as const;
  return { ...config, ...Object.fromEntries(optional.flatMap((key) => (isEmpty(config[key]) ? [[key, undefined]] : []))) };
}

type Named = { name: string };

/** A version that was published before sources were part of the config has no such list. */
function listChanges(
  { field, word }: (typeof lists)[number],
  from: readonly Named[] = [],
  to: readonly Named[] = [],
): ConfigChange[] {
  const [before, after] = [placesByName(from), placesByName(to)];
  const change = (verb: Verb, name: string, detail: string): ConfigChange =>
    ({ ...noSubject, type: `${field}_${verb}`, detail, [field]: name });
  const kept = from.filter(({ name }) => after.has(name));
  const rank = new Map(kept.map(({ name }, index) => [name, index]));
  let place = -1;
  const fromTo = to.flatMap((item): ConfigChange[] => {
    const old = before.get(item.name);
    if (old === undefined) return [change('added', item.name, `${word} '${item.name}' is added.`)];
    place += 1;
    const places = changedPlaces(from[old], item);
    const moved = rank.get(item.name) !== place;
    if (places === null && !moved) return [];
    const said = [places ?? [], moved ? 'its place in the list' : []].flat().join('; ');
    return [change('modified', item.name, `${word} '${item.name}' changes: ${said}.`)];
  });
  const gone = from.filter(({ name }) => !after.has(name));
  return [...fromTo, ...gone.map(({ name }) => change('removed', name, `${word} '${name}' is removed.`))];
}

const noSubject = { entity: null, event_flow: null, source: null };
const placesByName = (list: readonly Named[]): Map<string, number> => new Map(list.map(({ name }, index) => [name, index]));

function blockChanges(block: (typeof blocks)[number], from: unknown, to: unknown): ConfigChange[] {
  if (from === undefined && to === undefined) return [];
  if (from === undefined) return [{ ...noSubject, type: `${block}_added`, detail: `'${block}' is added.` }];
  if (to === undefined) return [{ ...noSubject, type: `${block}_removed`, detail: `'${block}' is removed.` }];
  const places = changedPlaces(from, to);
  return places === null ? [] : [{ ...noSubject, type: `${block}_modified`, detail: `'${block}' changes: ${places}.` }];
}

/** The version of the document counts as one of its settings. */
function settingsChanges(from: ConfigDocument, to: ConfigDocument): ConfigChange[] {
  const places = changedPlaces(from.settings ?? {}, to.settings ?? {});
  const said = [
    from.version === to.version ? [] : `The version of the document changes from ${from.version} to ${to.version}.`,
    deepEqual(from.settings, to.settings) ? [] : `Settings change: ${places ?? 'an empty object'}.`,
  ].flat();
  return said.length === 0 ? [] : [{ ...noSubject, type: 'settings_modified', detail: said.join(' ') }];
}
