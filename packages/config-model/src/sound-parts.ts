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

/**
 * What the structure check left to say more about: the parts that are objects, whatever is wrong inside of them. Who reads
 * something of a part asks first whether it is sound.
 */
export interface SoundParts {
  version: ConfigDocument['version'] | null;
  entities: Placed<Entity>[];
  flows: Placed<Flow>[];
  /** Every step that is an object, of every flow. */
  steps: PlacedStep[];
  sources: Placed<Source>[];
  /** Whether the structure check found nothing at this place, in it or around it. */
  isSound(loc: Loc): boolean;
  /** Whether it found nothing at this place or around it: what is inside may be looked at. */
  isOpen(loc: Loc): boolean;
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
  const entirely = (key: string): unknown[] => objects(key).flatMap(({ index, value }) => (isSound([key, index]) ? [value] : []));
  const version = root.version === '3.0' || root.version === '3.1' ? root.version : null;
  const [entities, flows, sources] = [entirely('entities') as Entity[], entirely('flows') as Flow[], entirely('sources') as Source[]];
  return {
    version,
    entities: objects('entities') as unknown as Placed<Entity>[],
    flows: objects('flows') as unknown as Placed<Flow>[],
    steps: objects('flows').flatMap(stepsOf),
    sources: objects('sources') as unknown as Placed<Source>[],
    isSound,
    isOpen: (loc) => !broken.some((place) => place.length <= loc.length && overlap(place, loc)),
    allEntities: Array.isArray(root.entities) && entities.length === root.entities.length,
    config: { ...root, version: version ?? '3.1', entities, flows, sources },
  };
}

function stepsOf({ index, value: flow }: Placed<Record<string, unknown>>): PlacedStep[] {
  if (!Array.isArray(flow.steps)) return [];
  return (flow.steps as unknown[]).flatMap((step, position) =>
    isObject(step) ? [{ loc: ['flows', index, 'steps', position], step: step as Step, flow: flow as unknown as Flow }] : [],
  );
}

/** Whether one place is the other or lies in it. */
function overlap(a: Loc, b: Loc): boolean {
  const shorter = Math.min(a.length, b.length);
  return a.slice(0, shorter).every((key, index) => key === b[index]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
