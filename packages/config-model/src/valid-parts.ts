import type { ConfigDocument, Entity, Flow, Source, Step } from '@sluice/contracts';
import type { Loc } from './problem';

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
export interface ValidParts {
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

/**
 * Sorts the parts of a document by what the structure check found in them.
 * @param places where it found something
 */
export function validParts(document: unknown, places: readonly Loc[]): ValidParts {
  const root = isObject(document) ? document : {};
  const { isSound, isOpen } = soundness(places);
  const objects = (key: string): Placed<Record<string, unknown>>[] => {
    const list = Object.hasOwn(root, key) && isOpen([key]) ? root[key] : [];
    return Array.isArray(list) ? (list as unknown[]).flatMap((value, index) => (isObject(value) ? [{ index, value }] : [])) : [];
  };
  const entirely = (key: string): unknown[] => objects(key).flatMap(({ index, value }) => (isSound([key, index]) ? [value] : []));
  const version = root.version === '3.0' || root.version === '3.1' ? root.version : null;
  const [entities, flows, sources] = [
    entirely('entities') as Entity[],
    entirely('flows') as Flow[],
    entirely('sources') as Source[],
  ];
  return {
    version,
    entities: objects('entities') as unknown as Placed<Entity>[],
    flows: objects('flows') as unknown as Placed<Flow>[],
    steps: objects('flows').flatMap((flow) => (isOpen(['flows', flow.index, 'steps']) ? stepsOf(flow) : [])),
    sources: objects('sources') as unknown as Placed<Source>[],
    isSound,
    isOpen,
    allEntities: Array.isArray(root.entities) && entities.length === root.entities.length,
    config: { ...root, version: version ?? '3.1', entities, flows, sources },
  };
}

/** Places as a tree: what is asked of a place costs its depth, however many problems there are. */
interface PlaceNode {
  broken: boolean;
  inner: Map<string | number, PlaceNode>;
}

function soundness(places: readonly Loc[]): Pick<ValidParts, 'isSound' | 'isOpen'> {
  const root: PlaceNode = { broken: false, inner: new Map() };
  for (const loc of places) {
    let node = root;
    for (const key of loc) {
      const next = node.inner.get(key) ?? { broken: false, inner: new Map() };
      node.inner.set(key, next);
      node = next;
    }
    node.broken = true;
  }
  /** `broken`: something is wrong at the place or around it. A node: in it. null: nothing is. */
  const find = (loc: Loc): PlaceNode | 'broken' | null => {
    let node: PlaceNode | undefined = root;
    for (const key of loc) {
      if (node.broken) return 'broken';
      node = node.inner.get(key);
      if (!node) return null;
    }
    if (node.broken) return 'broken';
    return node.inner.size > 0 ? node : null;
  };
  return { isSound: (loc) => find(loc) === null, isOpen: (loc) => find(loc) !== 'broken' };
}

function stepsOf({ index, value: flow }: Placed<Record<string, unknown>>): PlacedStep[] {
  if (!Array.isArray(flow.steps)) return [];
  return (flow.steps as unknown[]).flatMap((step, position) =>
    isObject(step) ? [{ loc: ['flows', index, 'steps', position], step: step as Step, flow: flow as unknown as Flow }] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
