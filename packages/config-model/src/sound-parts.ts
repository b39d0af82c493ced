import type { ConfigDocument, Entity, Flow, Source } from '@sluice/contracts';
import type { Problem } from './problem';

/** A part of the document with its position in it. */
export interface Placed<T> {
  index: number;
  value: T;
}

/** The parts that have the right structure: only of them more can be said. */
export interface SoundParts {
  version: ConfigDocument['version'] | null;
  entities: Placed<Entity>[];
  flows: Placed<Flow>[];
  sources: Placed<Source>[];
  /** False when some entity was left out: what refers to entities cannot be judged then. */
  allEntities: boolean;
  /** The document made of the sound parts. */
  config: ConfigDocument;
}

/** Leaves out every entity, flow and source in which the structure check found something. */
export function soundParts(document: unknown, structural: readonly Problem[]): SoundParts {
  const root = isObject(document) ? document : {};
  const broken = new Set(structural.map(({ loc }) => `${String(loc[1])}/${String(loc[2])}`));
  const pick = <T>(key: string): Placed<T>[] => {
    const list = Object.hasOwn(root, key) ? root[key] : [];
    if (!Array.isArray(list)) return [];
    return (list as unknown[]).flatMap((value, index) =>
      isObject(value) && !broken.has(`${key}/${index}`) ? [{ index, value: value as T }] : [],
    );
  };
  const [entities, flows, sources] = [pick<Entity>('entities'), pick<Flow>('flows'), pick<Source>('sources')];
  const version = root.version === '3.0' || root.version === '3.1' ? root.version : null;
  const values = <T>(placed: Placed<T>[]): T[] => placed.map((one) => one.value);
  return {
    version,
    entities,
    flows,
    sources,
    allEntities: Array.isArray(root.entities) && entities.length === root.entities.length,
    config: { ...root, version: version ?? '3.1', entities: values(entities), flows: values(flows), sources: values(sources) },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
