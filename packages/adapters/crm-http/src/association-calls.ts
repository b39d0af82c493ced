import type { CrmAssociationType, CrmClient, CrmItemError, CrmResult } from '@sluice/ports';
import { toItemErrors, type WireBatch } from './batch-answer';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import { anything, hasResults, type WireCall } from './wire-call';

type AssociationCalls = Pick<
  CrmClient,
  | 'associationTypes'
  | 'associationLimits'
  | 'batchAssociate'
  | 'batchAssociateDefault'
  | 'batchReadAssociations'
  | 'batchArchiveAssociations'
  | 'batchArchiveLabels'
>;

interface WireAssociations {
  results?: {
    from?: { id?: string | number };
    to?: { toObjectId?: string | number; associationTypes?: CrmAssociationType[] }[];
  }[];
}

interface WireLimit {
  category: CrmAssociationType['category'];
  typeId: number;
  /** Absent: the limit is the CRM's own, not an administrator's. */
  userEnforcedMaxToObjectIds?: number;
}

interface Pair {
  fromId: string;
  toId: string;
}

/** One error entry may be about several pairs: the named ones are counted, and an entry without names counts as one pair. */
function countDone(pairs: readonly Pair[], errors: readonly CrmItemError[]): number {
  const namedBy = ({ ids, context }: CrmItemError): string[] => [
    ...ids,
    ...(context['fromObjectId'] ?? []),
    ...(context['toObjectId'] ?? []),
  ];
  const named = new Set(errors.flatMap(namedBy));
  const nameless = errors.filter((error) => namedBy(error).length === 0).length;
  return Math.max(0, pairs.filter(({ fromId, toId }) => !named.has(fromId) && !named.has(toId)).length - nameless);
}

const written = (answer: CrmResult<WireBatch>, pairs: readonly Pair[]): CrmResult<{ done: number; errors: CrmItemError[] }> =>
  mapResult(answer, (batch) => {
    const errors = toItemErrors(batch.errors);
    return { done: countDone(pairs, errors), errors };
  });

const typedInput = ({ fromId, toId, types }: Pair & { types: { category: string; typeId: number }[] }): object => ({
  from: { id: fromId },
  to: { id: toId },
  types: types.map(({ category, typeId }) => ({ associationCategory: category, associationTypeId: typeId })),
});

/** Associations v4 (docs/reference/crm-api.md, Associations). */
export function createAssociationCalls(call: WireCall): AssociationCalls {
  return {
    associationTypes: async (access, from, to, options) =>
      mapResult(
        await call<{ results?: CrmAssociationType[] }>(
          { method: 'GET', path: crmPaths.associationTypes(from, to), accessToken: access.accessToken, readable: hasResults },
          options,
        ),
        (labels) => labels?.results ?? [],
      ),
    associationLimits: async (access, from, to, options) =>
      mapResult(
        await call<{ results?: WireLimit[] }>(
          { method: 'GET', path: crmPaths.associationLimits(from, to), accessToken: access.accessToken, readable: hasResults },
          options,
        ),
        (limits) =>
          (limits?.results ?? []).flatMap(({ category, typeId, userEnforcedMaxToObjectIds: max }) =>
            typeof max === 'number' ? [{ category, typeId, max }] : [],
          ),
      ),
    batchAssociate: async (access, from, to, inputs, options) => {
      const json = { inputs: inputs.map(typedInput) };
      return written(
        await call(
          {
            method: 'POST',
            path: crmPaths.associations(from, to, 'create'),
            accessToken: access.accessToken,
            json,
            readable: hasResults,
          },
          options,
        ),
        inputs,
      );
    },
    batchAssociateDefault: async (access, from, to, inputs, options) => {
      const json = { inputs: inputs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: { id: toId } })) };
      return written(
        await call(
          {
            method: 'POST',
            path: crmPaths.associations(from, to, 'associate/default'),
            accessToken: access.accessToken,
            json,
            readable: hasResults,
          },
          options,
        ),
        inputs,
      );
    },
    batchReadAssociations: async (access, from, to, fromIds, options) => {
      const json = { inputs: fromIds.map((id) => ({ id })) };
      const answer = await call<WireAssociations>(
        {
          method: 'POST',
          path: crmPaths.associations(from, to, 'read'),
          accessToken: access.accessToken,
          json,
          readable: hasResults,
        },
        options,
      );
      return mapResult(answer, (page) =>
        (page?.results ?? []).map((entry) => ({
          fromId: String(entry.from?.id ?? ''),
          to: (entry.to ?? []).map((target) => ({ id: String(target.toObjectId ?? ''), types: target.associationTypes ?? [] })),
        })),
      );
    },
    batchArchiveAssociations: async (access, from, to, inputs, options) => {
      const json = { inputs: inputs.map(({ fromId, toIds }) => ({ from: { id: fromId }, to: toIds.map((id) => ({ id })) })) };
      return mapResult(
        await call<unknown>(
          {
            method: 'POST',
            path: crmPaths.associations(from, to, 'archive'),
            accessToken: access.accessToken,
            json,
            readable: anything,
          },
          options,
        ),
        () => null,
      );
    },
    batchArchiveLabels: async (access, from, to, inputs, options) => {
      const path = crmPaths.associations(from, to, 'labels/archive');
      const json = { inputs: inputs.map(typedInput) };
      const { accessToken } = access;
      return mapResult(await call<unknown>({ method: 'POST', path, accessToken, json, readable: anything }, options), () => null);
    },
  };
}
