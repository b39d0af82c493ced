import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import { schemaScopes, typeOfCall } from '../http/type-of-call';
import type { PropertyGroup } from '../stores/definition-store';

const groupsOf = (call: PortalCall): Map<string, PropertyGroup> => call.portal.space(typeOfCall(call)).definitions.groups;

const find = (call: PortalCall): PropertyGroup =>
  groupsOf(call).get(call.params['name']!) ?? refuse(notFound(`Property group '${call.params['name']}' does not exist`));

const changed = (group: PropertyGroup, body: JsonObject): PropertyGroup => ({
  ...group,
  label: typeof body['label'] === 'string' ? body['label'] : group.label,
  displayOrder: typeof body['displayOrder'] === 'number' ? body['displayOrder'] : group.displayOrder,
});

function create(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['name', 'label']);
  const name = String(body['name']);
  if (!/^[a-z][a-z0-9_]*$/.test(name)) refuse(invalid(`Property group name ${name} is not valid`));
  if (groupsOf(call).has(name))
    refuse({
      status: 409,
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.GROUP_WITH_NAME_EXISTS',
      message: `A property group named '${name}' already exists.`,
    });
  const group = changed({ name, label: name, displayOrder: -1, archived: false }, body);
  groupsOf(call).set(name, group);
  return answer(201, group);
}

function update(call: PortalCall): Answer {
  const group = changed(find(call), jsonBody(call.rawBody));
  groupsOf(call).set(group.name, group);
  return answer(200, group);
}

function archive(call: PortalCall): Answer {
  const group = find(call);
  const used = [...call.portal.space(typeOfCall(call)).definitions.properties.values()].some(
    (one) => !one.archived && one.groupName === group.name,
  );
  if (used)
    refuse(
      invalid(`Property group '${group.name}' still has properties`, {
        subCategory: 'PropertyGroupError.GROUP_WITH_ACTIVE_PROPERTIES',
      }),
    );
  groupsOf(call).delete(group.name);
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const readScopes = schemaScopes('read');
const writeScopes = schemaScopes('write');

/** Property groups (docs/reference/crm-api.md, Properties). */
export const groupRoutes: readonly PortalRoute[] = [
  {
    ...base,
    method: 'GET',
    path: '/properties/:t/groups',
    scopes: readScopes,
    handle: (call) => answer(200, { results: [...groupsOf(call).values()] }),
  },
  { ...base, method: 'POST', path: '/properties/:t/groups', scopes: writeScopes, handle: create },
  { ...base, method: 'GET', path: '/properties/:t/groups/:name', scopes: readScopes, handle: (call) => answer(200, find(call)) },
  { ...base, method: 'PATCH', path: '/properties/:t/groups/:name', scopes: writeScopes, handle: update },
  { ...base, method: 'DELETE', path: '/properties/:t/groups/:name', scopes: writeScopes, handle: archive },
];
