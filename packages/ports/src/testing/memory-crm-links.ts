import type { CrmAssociationType, CrmItemError } from '../crm-client';
import {
  CrmRefusal,
  refusal,
  standardAssociationTypes,
  type CrmProblem,
  type MemoryAssociationType,
  type MemoryObjectType,
} from './memory-crm-portal';
import { checkBatch, itemError, liveRecord } from './memory-crm-records';

interface Pair {
  fromId: string;
  toId: string;
}

const maxPairs = 2_000;

/** Associations of one portal: per pair the ids of its types, seen from both ends (docs/reference/crm-api.md, Associations). */
export function createMemoryLinks(typeNamed: (name: string) => MemoryObjectType) {
  const links = new Map<string, Set<number>>();
  const limits = new Map<number, number>();
  const key = (from: string, fromId: string, to: string, toId: string): string => JSON.stringify([from, fromId, to, toId]);

  const typesBetween = (from: string, to: string): MemoryAssociationType[] =>
    standardAssociationTypes.filter((type) => type.from === from && type.to === to);
  const defaultType = (from: string, to: string): MemoryAssociationType => {
    const type = typesBetween(from, to).find(({ label }) => label === null);
    if (!type)
      throw new CrmRefusal(
        refusal(`No default association exists between ${from} and ${to}`, {
          subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE',
        }),
      );
    return type;
  };
  const missing = (from: string, to: string, { fromId, toId }: Pair): CrmProblem | null => {
    const gone = (side: 'from' | 'to', name: string, id: string): CrmProblem => ({
      status: 404,
      category: 'OBJECT_NOT_FOUND',
      subCategory: `crm.associations.${side.toUpperCase()}_OBJECT_NOT_FOUND`,
      message: `No ${name} with ID ${id} exists`,
      context: { [`${side}ObjectId`]: [id] },
    });
    if (!liveRecord(typeNamed(from), fromId)) return gone('from', from, fromId);
    return liveRecord(typeNamed(to), toId) ? null : gone('to', to, toId);
  };
  /** Replaces the labels of a pair; the default type is always among them. */
  const link = (from: string, to: string, { fromId, toId }: Pair, types: readonly MemoryAssociationType[]): void => {
    const all = [defaultType(from, to), ...types];
    links.set(key(from, fromId, to, toId), new Set(all.map(({ typeId }) => typeId)));
    links.set(key(to, toId, from, fromId), new Set(all.map(({ inverse }) => inverse)));
  };
  const eachPair = <P extends Pair>(
    from: string,
    to: string,
    pairs: readonly P[],
    typesOf: (pair: P) => MemoryAssociationType[] | CrmProblem,
  ): { done: number; errors: CrmItemError[] } => {
    checkBatch(
      pairs.map((_, index) => String(index)),
      maxPairs,
    );
    const problems = pairs.flatMap((pair) => {
      const types = missing(from, to, pair) ?? typesOf(pair);
      if (!Array.isArray(types)) return [types];
      link(from, to, pair, types);
      return [];
    });
    return { done: pairs.length - problems.length, errors: problems.map((problem) => itemError(problem)) };
  };

  return {
    types: (from: string, to: string): CrmAssociationType[] =>
      typesBetween(from, to).map(({ category, typeId, label }) => ({ category, typeId, label })),
    limits: (from: string, to: string): { category: CrmAssociationType['category']; typeId: number; max: number }[] =>
      typesBetween(from, to).flatMap(({ category, typeId }) => {
        const max = limits.get(typeId);
        return max === undefined ? [] : [{ category, typeId, max }];
      }),
    /** An administrator sets how many partners a record may have by a type. */
    limit: (typeId: number, max: number): void => void limits.set(typeId, max),
    associateDefault(from: string, to: string, pairs: readonly Pair[]) {
      const type = defaultType(from, to);
      return eachPair(from, to, pairs, () => [type]);
    },
    associate: (from: string, to: string, inputs: readonly (Pair & { types: { category: string; typeId: number }[] })[]) =>
      eachPair(from, to, inputs, (pair) => {
        const known = pair.types.map(({ typeId }) => typesBetween(from, to).find((type) => type.typeId === typeId));
        return known.every((type) => type !== undefined)
          ? known
          : {
              status: 400,
              category: 'VALIDATION_ERROR',
              subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE',
              message: `a given type is not a valid association type between ${from} and ${to}`,
            };
      }),
    read(from: string, to: string, fromIds: readonly string[]) {
      return [...new Set(fromIds)]
        .map((fromId) => {
          const partners = [...links]
            .map(([packed, ids]) => ({ end: JSON.parse(packed) as string[], ids }))
            .filter(({ end }) => end[0] === from && end[1] === fromId && end[2] === to);
          const typesOf = (ids: Set<number>): CrmAssociationType[] =>
            typesBetween(from, to)
              .filter(({ typeId }) => ids.has(typeId))
              .map(({ category, typeId, label }) => ({ category, typeId, label }));
          return { fromId, to: partners.map(({ end, ids }) => ({ id: end[3]!, types: typesOf(ids) })) };
        })
        .filter((entry) => entry.to.length > 0);
    },
    archive(from: string, to: string, inputs: readonly { fromId: string; toIds: string[] }[]): null {
      for (const { fromId, toIds } of inputs)
        for (const toId of toIds)
          for (const packed of [key(from, fromId, to, toId), key(to, toId, from, fromId)]) links.delete(packed);
      return null;
    },
    archiveLabels(from: string, to: string, inputs: readonly (Pair & { types: { category: string; typeId: number }[] })[]): null {
      for (const { fromId, toId, types } of inputs) {
        const known = typesBetween(from, to).filter(({ typeId }) => types.some((type) => type.typeId === typeId));
        if (known.length < types.length)
          throw new CrmRefusal(
            refusal(`a given type is not a valid association type between ${from} and ${to}`, {
              subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE',
            }),
          );
        const whole = known.includes(defaultType(from, to));
        for (const [packed, gone] of [
          [key(from, fromId, to, toId), known.map(({ typeId }) => typeId)],
          [key(to, toId, from, fromId), known.map(({ inverse }) => inverse)],
        ] as const) {
          if (whole) links.delete(packed);
          else for (const typeId of gone) links.get(packed)?.delete(typeId);
        }
      }
      return null;
    },
    /** Every association once, as it was written: from the side whose record kind comes first in the arguments. */
    between: (from: string, to: string): Pair[] =>
      [...links.keys()]
        .map((packed) => JSON.parse(packed) as string[])
        .filter((end) => end[0] === from && end[2] === to)
        .map((end) => ({ fromId: end[1]!, toId: end[3]! })),
  };
}
