import type { CrmAssociationType, CrmClient, CrmResult } from '@sluice/ports';
import { toItemErrors, type WireBatch } from './batch-answer';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import type { WireCall } from './wire-call';

type AssociationCalls = Pick<CrmClient, 'associationTypes' | 'batchAssociate' | 'batchAssociateDefault' | 'batchReadAssociations' | 'batchArchiveAssociations'>;

interface WireAssociations {
  results?: { from?: { id?: string | number }; to?: { toObjectId?: string | number; associationTypes?: CrmAssociationType[] }[] }[];
}

const written = (answer: CrmResult<WireBatch>, inputs: number): CrmResult<{ done: number; errors: ReturnType<typeof toItemErrors> }> =>
  mapResult(answer, (batch) => {
    const errors = toItemErrors(batch?.errors);
    return { done: inputs - errors.length, errors };
  });

/** Associations v4 (crm-wire-api, section 5). */
export function createAssociationCalls(call: WireCall): AssociationCalls {
  return {
    associationTypes: async (access, from, to, options) =>
      mapResult(
        await call<{ results?: CrmAssociationType[] }>({ method: 'GET', path: crmPaths.associationTypes(from, to), accessToken: access.accessToken }, options),
        (labels) => labels?.results ?? [],
      ),
    batchAssociate: async (access, from, to, inputs, options) => {
      const json = {
        inputs: inputs.map(({ fromId, toId, types }) => ({
          from: { id: fromId }, to: { id: toId },
          types: types.map(({ category, typeId }) => ({ associationCategory: category, associationTypeId: typeId })),
        })),
      };
      return written(await call({ method: 'POST', path: crmPaths.associations(from, to, 'create'), accessToken: access.accessToken, json }, options), inputs.length);
    },
    batchAssociateDefault: async (access, from, to, inputs, options) => {
      const json = { inputs: inputs.map(({ fromId, toId }) => ({ from: { id: fromId }, to: { id: toId } })) };
      return written(await call({ method: 'POST', path: crmPaths.associations(from, to, 'associate/default'), accessToken: access.accessToken, json }, options), inputs.length);
    },
    batchReadAssociations: async (access, from, to, fromIds, options) => {
      const json = { inputs: fromIds.map((id) => ({ id })) };
      const answer = await call<WireAssociations>({ method: 'POST', path: crmPaths.associations(from, to, 'read'), accessToken: access.accessToken, json }, options);
      return mapResult(answer, (page) => (page?.results ?? []).map((entry) => ({
        fromId: String(entry.from?.id ?? ''),
        to: (entry.to ?? []).map((target) => ({ id: String(target.toObjectId ?? ''), types: target.associationTypes ?? [] })),
      })));
    },
    batchArchiveAssociations: async (access, from, to, inputs, options) => {
      const json = { inputs: inputs.map(({ fromId, toIds }) => ({ from: { id: fromId }, to: toIds.map((id) => ({ id })) })) };
      return mapResult(await call<unknown>({ method: 'POST', path: crmPaths.associations(from, to, 'archive'), accessToken: access.accessToken, json }, options), () => null);
    },
  };
}
