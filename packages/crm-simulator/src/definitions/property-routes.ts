import { answer, noContent, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import { type Problem } from '../state/problem';
import { boolParam, jsonBody } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import { batchAnswer, batchInputs } from '../http/batch-answer';
import { schemaScopes, typeOfCall } from '../http/type-of-call';
import { archiveProperty, createProperty, updateProperty } from './change-property';
import type { PropertyDefinition } from '../stores/property-definition';
import { showProperty } from './show-property';

const contactsAllowed = (call: PortalCall): boolean => call.sim.options.uniqueContactProperties !== false;

function find(call: PortalCall, name: string, archived: boolean): PropertyDefinition | undefined {
  const found = call.portal.space(typeOfCall(call)).definitions.properties.get(name);
  return found?.archived === archived ? found : undefined;
}

const unknown = (name: string): Problem => notFound(`Property '${name}' does not exist`, { context: { name: [name] } });

function list(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const archived = boolParam(call.query, 'archived');
  const results = [...call.portal.space(type).definitions.properties.values()]
    .filter((one) => one.archived === archived)
    .map((one) => showProperty(call.portal, type, one));
  return answer(200, { results });
}

function create(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const made = createProperty(call.portal, type, jsonBody(call.rawBody), contactsAllowed(call));
  return 'problem' in made ? refuse(made.problem) : answer(201, showProperty(call.portal, type, made.definition));
}

function read(call: PortalCall): Answer {
  const name = call.params['name']!;
  const definition = find(call, name, boolParam(call.query, 'archived')) ?? refuse(unknown(name));
  return answer(200, showProperty(call.portal, typeOfCall(call), definition));
}

function update(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const name = call.params['name']!;
  const definition = find(call, name, false) ?? refuse(unknown(name));
  const changed = updateProperty(call.portal, definition, type, jsonBody(call.rawBody));
  return 'problem' in changed ? refuse(changed.problem) : answer(200, showProperty(call.portal, type, changed.definition));
}

function archive(call: PortalCall): Answer {
  const problem = archiveProperty(call.portal, typeOfCall(call), call.params['name']!);
  return problem ? refuse(problem) : noContent;
}

function batchCreate(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const startedAt = call.portal.now();
  const made = batchInputs(jsonBody(call.rawBody, ['inputs'])).map((input) =>
    createProperty(call.portal, type, input, contactsAllowed(call)),
  );
  const results = made.flatMap((one) => ('definition' in one ? [showProperty(call.portal, type, one.definition)] : []));
  return batchAnswer(
    201,
    results,
    made.flatMap((one) => ('problem' in one ? [one.problem] : [])),
    { startedAt, completedAt: call.portal.now() },
  );
}

function batchRead(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const body = jsonBody(call.rawBody, ['inputs']);
  const startedAt = call.portal.now();
  const names = batchInputs(body).map((input) => String(input['name']));
  const archived = body['archived'] === true;
  const results = names.flatMap((name) => find(call, name, archived) ?? []).map((one) => showProperty(call.portal, type, one));
  const problems = names.filter((name) => !find(call, name, archived)).map(unknown);
  return batchAnswer(200, results, problems, { startedAt, completedAt: call.portal.now() });
}

function batchArchive(call: PortalCall): Answer {
  const type = typeOfCall(call);
  for (const input of batchInputs(jsonBody(call.rawBody, ['inputs']))) {
    const problem = archiveProperty(call.portal, type, String(input['name']));
    if (problem && problem.status !== 404) refuse(problem);
  }
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const readScopes = schemaScopes('read');
const writeScopes = schemaScopes('write');

/**
 * Property definitions (docs/reference/crm-api.md, Properties). Groups are declared before these, because `groups` fits `:name`.
 */
export const propertyRoutes: readonly PortalRoute[] = [
  { ...base, method: 'GET', path: '/properties/:t', scopes: readScopes, handle: list },
  { ...base, method: 'POST', path: '/properties/:t', scopes: writeScopes, handle: create },
  { ...base, method: 'POST', path: '/properties/:t/batch/create', scopes: writeScopes, handle: batchCreate },
  { ...base, method: 'POST', path: '/properties/:t/batch/read', scopes: readScopes, handle: batchRead },
  { ...base, method: 'POST', path: '/properties/:t/batch/archive', scopes: writeScopes, handle: batchArchive },
  { ...base, method: 'GET', path: '/properties/:t/:name', scopes: readScopes, handle: read },
  { ...base, method: 'PATCH', path: '/properties/:t/:name', scopes: writeScopes, handle: update },
  { ...base, method: 'DELETE', path: '/properties/:t/:name', scopes: writeScopes, handle: archive },
];
