import { noContent, type Answer } from '../http/answer';
import { invalid, refuse } from '../http/refusal';
import { type Problem } from '../state/problem';
import { isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { ObjectType } from '../model/object-types';
import { batchAnswer, batchInputs } from '../http/batch-answer';
import { objectScopes, typeOfCall } from '../http/type-of-call';
import { readSpecs } from './association-specs';
import {
  defaultResults,
  endpoint,
  limitProblem,
  linkedAnswer,
  partnersPage,
  requireDefault,
  type Endpoints,
} from './association-wire';

const maxCreate = 2_000;
const maxRead = 1_000;
const maxArchive = 100;
const pageLimit = 500;

const sides = (call: PortalCall): { from: ObjectType; to: ObjectType } => ({
  from: typeOfCall(call, 'from'),
  to: typeOfCall(call, 'to'),
});

const sideId = (input: JsonObject, side: string): string => {
  const given = input[side];
  const id = isObject(given) ? given['id'] : undefined;
  if (typeof id !== 'string' && typeof id !== 'number')
    return refuse(invalid(`Invalid input JSON on line 1, column 2. Some required fields were not set: [${side}]`));
  return String(id);
};

/** Runs every input, gathers results and problems; one bad input does not stop the others. */
function eachInput(
  call: PortalCall,
  status: number,
  max: number,
  run: (input: JsonObject, ends: Endpoints) => unknown[] | Problem,
): Answer {
  const { from, to } = sides(call);
  const startedAt = call.portal.now();
  const results: unknown[] = [];
  const problems: Problem[] = [];
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']), max)) {
    const ends = endpoint(call.portal, from, sideId(input, 'from'), to, sideId(input, 'to'));
    const outcome = 'problem' in ends ? ends.problem : run(input, ends.ends);
    if (Array.isArray(outcome)) results.push(...outcome);
    else problems.push(outcome);
  }
  return batchAnswer(status, results, problems, { startedAt, completedAt: call.portal.now() });
}

function batchCreate(call: PortalCall): Answer {
  const { from, to } = sides(call);
  const seen = new Set<string>();
  return eachInput(call, 201, maxCreate, (input, ends) => {
    const read = readSpecs(call.portal, from, to, input['types']);
    if ('problem' in read) return read.problem;
    const full = limitProblem(call.portal, ends, read.types);
    if (full) return full;
    // Several inputs for one pair add up within a call.
    const pair = `${ends.from.id}>${ends.to.id}`;
    call.portal.associations.link(ends.from, ends.to, read.types, !seen.has(pair));
    seen.add(pair);
    return [linkedAnswer(ends, read.types)];
  });
}

function batchDefault(call: PortalCall): Answer {
  const { from, to } = sides(call);
  const type = requireDefault(call.portal, from, to);
  return eachInput(call, 200, maxCreate, (_input, ends) => {
    const full = limitProblem(call.portal, ends, [type]);
    if (full) return full;
    call.portal.associations.link(ends.from, ends.to, [type], false);
    return defaultResults(ends, type);
  });
}

function batchRead(call: PortalCall): Answer {
  const { from, to } = sides(call);
  const startedAt = call.portal.now();
  const results: unknown[] = [];
  const problems: Problem[] = [];
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']), maxRead)) {
    const id = String(input['id']);
    const record = call.portal.space(from).store.findLive(id);
    const page = partnersPage(call.portal, from, record?.id ?? id, to, input['after'] as string | undefined, pageLimit);
    if (page.results.length > 0)
      results.push({ from: { id }, to: page.results, ...(page.paging ? { paging: page.paging } : {}) });
    else
      problems.push({
        status: 404,
        category: 'OBJECT_NOT_FOUND',
        subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
        message: `No ${to.singular} is associated with ${from.singular} ${id}.`,
        context: { fromObjectId: [id], fromObjectType: [from.singular], toObjectType: [to.singular] },
      });
  }
  return batchAnswer(200, results, problems, { startedAt, completedAt: call.portal.now() });
}

function batchArchive(call: PortalCall): Answer {
  const { from, to } = sides(call);
  const inputs = batchInputs(jsonBody(call.rawBody, ['inputs']), maxCreate);
  if (new Set(inputs.map((input) => sideId(input, 'from'))).size > maxArchive)
    refuse(invalid(`At most ${maxArchive} different from ids are allowed`));
  for (const input of inputs) {
    const targets: unknown = input['to'];
    if (!Array.isArray(targets)) refuse(invalid('Invalid input JSON on line 1, column 2: to must be a list'));
    for (const target of targets as unknown[]) {
      if (isObject(target))
        call.portal.associations.unlinkAll(
          { typeId: from.id, id: sideId(input, 'from') },
          { typeId: to.id, id: String(target['id']) },
        );
    }
  }
  return noContent;
}

function batchArchiveLabels(call: PortalCall): Answer {
  const { from, to } = sides(call);
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']), maxCreate)) {
    const read = readSpecs(call.portal, from, to, input['types']);
    if ('problem' in read) return refuse(read.problem);
    call.portal.associations.unlink(
      { typeId: from.id, id: sideId(input, 'from') },
      { typeId: to.id, id: sideId(input, 'to') },
      read.types,
    );
  }
  return noContent;
}

const read = objectScopes('read', 'from', 'to');
const write = objectScopes('write', 'from', 'to');
const base = '/associations/:from/:to/batch';

/** Association batches (docs/reference/crm-api.md, Associations). */
export const associationBatchRoutes: readonly PortalRoute[] = [
  { method: 'POST', path: `${base}/create`, auth: 'portal', budget: 'burst', scopes: write, handle: batchCreate },
  { method: 'POST', path: `${base}/associate/default`, auth: 'portal', budget: 'burst', scopes: write, handle: batchDefault },
  { method: 'POST', path: `${base}/read`, auth: 'portal', budget: 'burst', scopes: read, handle: batchRead },
  { method: 'POST', path: `${base}/archive`, auth: 'portal', budget: 'burst', scopes: write, handle: batchArchive },
  { method: 'POST', path: `${base}/labels/archive`, auth: 'portal', budget: 'burst', scopes: write, handle: batchArchiveLabels },
];
