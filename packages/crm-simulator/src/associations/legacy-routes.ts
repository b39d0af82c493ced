import { noContent, type Answer } from '../http/answer';
import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import { isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { ObjectType } from '../model/object-types';
import { batchAnswer, batchInputs } from '../http/batch-answer';
import { objectScopes, typeOfCall } from '../http/type-of-call';
import type { AssociationType } from '../stores/association-types';
import { endpoint } from './association-wire';
import { associationTypeName, presentAssociations } from './present-associations';

const maxInputs = 2_000;

const idOf = (input: JsonObject, side: string): string => {
  const given = input[side];
  return isObject(given) ? String(given['id']) : '';
};

/** A type by its name (`contact_to_company`) or by its number as text. */
function typeNamed(call: PortalCall, from: ObjectType, to: ObjectType, given: unknown): AssociationType | Problem {
  const text = String(given);
  const found = call.portal.associationTypes
    .between(from.id, to.id)
    .find(
      (type) =>
        String(type.typeId) === text ||
        associationTypeName(from, to, type) === text ||
        (type.isDefault &&
          (text === `${from.singular}_to_${to.singular}` || text === `${from.singular}_to_${to.singular}_unlabeled`)),
    );
  return (
    found ??
    invalid(`${text} is not a valid association type between ${from.legacyName} and ${to.legacyName}`, {
      subCategory: 'crm.associations.INVALID_ASSOCIATION_TYPE',
    })
  );
}

function create(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  const startedAt = call.portal.now();
  const results: unknown[] = [];
  const problems: Problem[] = [];
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']), maxInputs)) {
    const type = typeNamed(call, from, to, input['type']);
    const found = endpoint(call.portal, from, idOf(input, 'from'), to, idOf(input, 'to'));
    if ('message' in type) problems.push(type);
    else if ('problem' in found) problems.push(found.problem);
    else {
      call.portal.associations.link(found.ends.from, found.ends.to, [type], false);
      results.push({ from: { id: found.ends.from.id }, to: { id: found.ends.to.id }, type: String(input['type']) });
    }
  }
  return batchAnswer(201, results, problems, { startedAt, completedAt: call.portal.now() });
}

function read(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  const startedAt = call.portal.now();
  const results = batchInputs(jsonBody(call.rawBody, ['inputs'])).flatMap((input) => {
    const id = String(input['id']);
    const shown = presentAssociations(call.portal, from, id, [to])[to.name];
    return shown ? [{ from: { id }, to: shown.results }] : [];
  });
  return batchAnswer(200, results, [], { startedAt, completedAt: call.portal.now() });
}

function archive(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']), maxInputs)) {
    const type = typeNamed(call, from, to, input['type']);
    if (!('message' in type))
      call.portal.associations.unlink({ typeId: from.id, id: idOf(input, 'from') }, { typeId: to.id, id: idOf(input, 'to') }, [
        type,
      ]);
  }
  return noContent;
}

const base = { auth: 'portal', budget: 'burst', method: 'POST' } as const;
const path = '/associations-v3/:from/:to/batch';

/** The older v3 association batch, types by name (docs/reference/crm-api.md, Associations). */
export const legacyAssociationRoutes: readonly PortalRoute[] = [
  { ...base, path: `${path}/create`, scopes: objectScopes('write', 'from', 'to'), handle: create },
  { ...base, path: `${path}/read`, scopes: objectScopes('read', 'from', 'to'), handle: read },
  { ...base, path: `${path}/archive`, scopes: objectScopes('write', 'from', 'to'), handle: archive },
];
