import type { ConfigDocument, Entity, Flow, Source, Step } from '@sluice/contracts';
import type { Loc, Problem } from './problem';

/** A part of the document with its position in it. */
export interface Placed<T> {
  index: number;
  value: T;
}

/** A step with its flow. One that has a structural problem is here too: what else is wrong with it can be said. */
export interface PlacedStep {
  loc: Loc;
  step: Step;
  flow: Flow;
}

/** What the structure check left to say more about. */
export interface SoundParts {
  version: ConfigDocument['version'] | null;
  /** Entities that are sound but for some of their field mappings: ask `isSound` before reading one. */
  entities: Placed<Entity>[];
  /** Flows that are sound but for their steps, which are in `steps`. */
  flows: Placed<Flow>[];
  /** Every step that is an object, of every flow. */
  steps: PlacedStep[];
  sources: Placed<Source>[];
  /** Whether the structure check found nothing at this place, in it or around it. */
  isSound(loc: Loc): boolean;
  /** False when some entity has a structural problem: what refers to entities cannot be judged then. */
  allEntities: boolean;
  /** The document made of the entirely sound parts. */
  config: ConfigDocument;
}

/** Sorts the parts of a document by what the structure check found in them. */
export function soundParts(document: unknown, structural: readonly Problem[]): SoundParts {
  const root = isObject(document) ? document : {};
  const broken = structural.map(({ loc }) => loc.slice(1));
  const isSound = (loc: Loc): boolean => !broken.some((place) => overlap(place, loc));
  const objects = (key: string): Placed<Record<string, unknown>>[] => {
    const list = Object.hasOwn(root, key) ? root[key] : [];
    return Array.isArray(list) ? (list as unknown[]).flatMap((value, index) => (isObject(value) ? [{ index, value }] : [])) : [];
  };
  /** @param inner where problems below a part of the list do not count against it: a pattern of the rest of their path */
  const pick = <T>(key: string, inner: readonly (string | null)[] | null): Placed<T>[] =>
    objects(key).filter(({ index }) => broken.every((place) => !overlap(place, [key, index]) || (inner !== null && isBelow(place, inner)))) as Placed<T>[];
  const entirely = <T>(key: string): T[] => pick<T>(key, null).map(({ value }) => value);
  const version = root.version === '3.0' || root.version === '3.1' ? root.version : null;
  return {
    version,
    entities: pick<Entity>('entities', ['schemas', null, 'field_mappings', null]),
    flows: pick<Flow>('flows', ['steps', null]),
    steps: objects('flows').flatMap(stepsOf),
    sources: pick<Source>('sources', null),
    isSound,
    allEntities: Array.isArray(root.entities) && entirely('entities').length === root.entities.length,
    config: { ...root, version: version ?? '3.1', entities: entirely('entities'), flows: entirely('flows'), sources: entirely('sources') },
  };
}

function stepsOf({ index, value: flow }: Placed<Record<string, unknown>>): PlacedStep[] {
  if (!Array.isArray(flow.steps)) return [];
  return (flow.steps as unknown[]).flatMap((step, position) =>
    isObject(step) ? [{ loc: ['flows', index, 'steps', position], step: step as Step, flow: flow as unknown as Flow }] : [],
  );
}

/** Whether one place is the other or lies in it. */
export function overlap(a: Loc, b: Loc): boolean {
  const shorter = Math.min(a.length, b.length);
  return a.slice(0, shorter).every((key, index) => key === b[index]);
}

/** Whether a place lies in or at `pattern` below its part of a list; null stands for any key. */
function isBelow(place: Loc, pattern: readonly (string | null)[]): boolean {
  const rest = place.slice(2);
  return rest.length >= pattern.length && pattern.every((key, index) => key === null || key === rest[index]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
