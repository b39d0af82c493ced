import { answer, noContent, type Answer } from '../http/answer';
import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import { jsonBody } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { PortalState } from '../state/portal-state';
import { batchAnswer, batchInputs } from '../http/batch-answer';
import { typeOfCall } from '../http/type-of-call';
import type { AssociationType } from '../stores/association-types';

/** Configured limits between two kinds of record. */
function limitsBetween(portal: PortalState, from: string, to: string): Record<string, unknown>[] {
  return portal.associationTypes.between(from, to).flatMap((type) => {
    const max = portal.associationTypes.limitOf(type);
    return max === undefined
      ? []
      : [{ category: type.category, typeId: type.typeId, label: type.label, userEnforcedMaxToObjectIds: max }];
  });
}

function all(call: PortalCall): Answer {
  const types = [...call.portal.types];
  return answer(200, { results: types.flatMap((from) => types.flatMap((to) => limitsBetween(call.portal, from.id, to.id))) });
}

function set(status: number): (call: PortalCall) => Answer {
  return (call) => {
    const from = typeOfCall(call, 'from');
    const to = typeOfCall(call, 'to');
    const startedAt = call.portal.now();
    const results: unknown[] = [];
    const problems: Problem[] = [];
    for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']))) {
      const type = call.portal.associationTypes.get(from.id, to.id, Number(input['typeId']));
      const max = Number(input['maxToObjectIds']);
      if (!type || !Number.isInteger(max) || max < 1) {
        problems.push(
          invalid(
            `Invalid limit for association type ${String(input['typeId'])} between ${from.legacyName} and ${to.legacyName}`,
          ),
        );
        continue;
      }
      call.portal.associationTypes.limit(type, max);
      results.push({ category: type.category, typeId: type.typeId, userEnforcedMaxToObjectIds: max });
    }
    return batchAnswer(status, results, problems, { startedAt, completedAt: call.portal.now() });
  };
}

function purge(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']))) {
    const type: AssociationType | undefined = call.portal.associationTypes.get(from.id, to.id, Number(input['typeId']));
    if (type) call.portal.associationTypes.limit(type, undefined);
  }
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const path = '/associations/definitions/configurations';

/** Limits on how many partners a record may have per type (docs/reference/crm-api.md, Associations). */
export const limitRoutes: readonly PortalRoute[] = [
  { ...base, method: 'GET', path: `${path}/all`, handle: all },
  {
    ...base,
    method: 'GET',
    path: `${path}/:from/:to`,
    handle: (call) =>
      answer(200, { results: limitsBetween(call.portal, typeOfCall(call, 'from').id, typeOfCall(call, 'to').id) }),
  },
  { ...base, method: 'POST', path: `${path}/:from/:to/batch/create`, handle: set(201) },
  { ...base, method: 'POST', path: `${path}/:from/:to/batch/update`, handle: set(200) },
  { ...base, method: 'POST', path: `${path}/:from/:to/batch/purge`, handle: purge },
];
