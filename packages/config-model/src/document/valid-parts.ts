import type { ConfigDocument, Entity, Flow, Source, Step } from '@sluice/contracts';
import type { Loc } from './problem';

/** A part of the document with its position in it. */
export interface Placed<T> {
  index: number;
  value: T;
}

/** A step with its flow, also one with a structural problem, so that its other problems can be reported. */
export interface PlacedStep {
  loc: Loc;
  step: Step;
  flow: Flow;
}

/**
 * The parts of the document for further checks: all parts that are objects, also with problems inside. A check first asks whether
 * the value it reads has no structural problem.
 */
export interface ValidParts {
  version: ConfigDocument['version'] | null;
  entities: Placed<Entity>[];
  flows: Placed<Flow>[];
  /** Every step that is an object, of every flow. */
  steps: PlacedStep[];
  sources: Placed<Source>[];
  /** Whether the structure check found no problem at this path, inside or around it. */
  isSound(loc: Loc): boolean;
  /** Whether it found no problem at this path or around it: the value inside may be read. */
  isOpen(loc: Loc): boolean;
  /** False when some entity has a structural problem: references to entities cannot be checked then. */
  allEntities: boolean;
  /** The document made of the parts without structural problems. */
  config: ConfigDocument;
}

/**
 * Sorts the parts of a document by the problems of the structure check.
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
