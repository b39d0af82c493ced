import type { EntityLookup } from './compiled-entity';
import { parsePath } from '../expressions/json-path';
import type { CompiledMapping } from '../mapping/mapping';
import type { CompiledProjection } from '../mapping/projection';
import { compileReference, type Reference } from '../expressions/reference';

/**
 * What a value reads of the record of a journal event (`$.payload.object.properties`): the properties that it names, and whether
 * it reads all of them, or some that depend on the event (`$.payload..email`).
 */
export interface RecordReads {
  names: ReadonlySet<string>;
  all: boolean;
  some: boolean;
}

const nothing: RecordReads = { names: new Set(), all: false, some: false };
const recordPath = ['payload', 'object', 'properties'];

/** What references read of the record; those of a mapping are relative to the `payload_root` of its projection. */
export function recordReads(references: readonly Reference[], entities: EntityLookup, root: string | null = null): RecordReads {
  return union(references.map((reference) => readsOf(reference, entities, root)));
}

/** What a mapping reads of the record, also through `$.canonical`. */
export function mappingReads(mapping: CompiledMapping, projection: CompiledProjection, entities: EntityLookup): RecordReads {
  return recordReads(mapping.references, entities, projection.root);
}

/** Each reference of a compiled config is parsed once. */
const known = new WeakMap<Reference, RecordReads>();

function readsOf(reference: Reference, entities: EntityLookup, root: string | null): RecordReads {
  const reads = known.get(reference) ?? readsOfPath(reference, entities, root);
  known.set(reference, reads);
  return reads;
}

function readsOfPath(reference: Reference, entities: EntityLookup, root: string | null): RecordReads {
  if (reference.root !== 'payload' && reference.root !== 'canonical') return nothing;
  const path = membersOf(reference.text);
  if (reference.root === 'canonical') return canonicalReads(path, entities);
  if (root === null) return payloadReads(path);
  if (compileReference(root).root !== 'payload') return nothing;
  const base = membersOf(root);
  return payloadReads(base.plain ? { ...path, members: [...base.members, ...path.members.slice(1)] } : base);
}

interface Members {
  /** Up to the first part that is not a plain member. */
  members: string[];
  plain: boolean;
}

function membersOf(text: string): Members {
  const members: string[] = [];
  for (const { expression, scope } of parsePath(text)) {
    if (scope === 'descendant' || !['identifier', 'string_literal'].includes(expression.type)) return { members, plain: false };
    members.push(String(expression.value));
  }
  return { members, plain: true };
}

function payloadReads({ members, plain }: Members): RecordReads {
  if (!members.every((member, index) => index >= recordPath.length || member === recordPath[index])) return nothing;
  const property = members[recordPath.length];
  if (property !== undefined) return { names: new Set([property]), all: false, some: false };
  return { names: new Set(), all: plain, some: !plain };
}

/** What the mappings of this part of the canonical form read. */
function canonicalReads({ members }: Members, entities: EntityLookup): RecordReads {
  const reads: RecordReads[] = [];
  for (const { projections } of entities.values()) {
    const canonical = projections.get('canonical');
    for (const mapping of canonical?.mappings ?? []) {
      const target = mapping.canonicalPath === null ? [] : ['canonical', ...mapping.canonicalPath];
      // A canonical mapping that reads `$.canonical` is ignored, because it could be circular.
      const references = mapping.references.filter(({ root }) => root === 'payload');
      if (overlap(target, members)) reads.push(recordReads(references, entities, canonical!.root));
    }
  }
  return union(reads);
}

const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.slice(0, other.length).every((member, index) => member === other[index]);

function union(reads: readonly RecordReads[]): RecordReads {
  return {
    names: new Set(reads.flatMap(({ names }) => [...names])),
    all: reads.some(({ all }) => all),
    some: reads.some(({ some }) => some),
  };
}
