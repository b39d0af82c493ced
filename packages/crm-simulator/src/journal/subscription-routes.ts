import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { AppRoute, Call } from '../http/route';
import type { FilterCondition, Subscription, SubscriptionFilter } from '../state/subscription';

const types = ['OBJECT', 'ASSOCIATION', 'APP_LIFECYCLE_EVENT', 'LIST_MEMBERSHIP', 'GDPR_PRIVACY_DELETION'];
const actions = [
  'CREATE',
  'UPDATE',
  'DELETE',
  'MERGE',
  'RESTORE',
  'ASSOCIATION_ADDED',
  'ASSOCIATION_REMOVED',
  'SNAPSHOT',
  'APP_INSTALL',
  'APP_UNINSTALL',
  'ADDED_TO_LIST',
  'REMOVED_FROM_LIST',
  'GDPR_DELETE',
];
const operators = [
  'EQ',
  'N_EQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
  'NOT_IN',
  'IS_EMPTY',
  'IS_NOT_EMPTY',
];

const iso = (ms: number): string => new Date(ms).toISOString();

const show = (one: Subscription): Record<string, unknown> => ({
  ...one, appId: 1, actionOverrides: {}, createdBy: 80001, createdAt: iso(one.createdAt), updatedAt: iso(one.updatedAt),
});

/** A list of ids or names; numbers become text. */
function list(body: JsonObject, field: string, allowed?: readonly string[]): string[] {
  const given = body[field] ?? [];
  if (!Array.isArray(given)) return refuse(invalid(`Invalid input JSON on line 1, column 2: ${field} must be a list`));
  const texts = given.map(String);
  const wrong = allowed && texts.find((text) => !allowed.includes(text));
  return wrong === undefined ? texts : refuse(invalid(`${wrong} is not valid in ${field}`));
}

function subscribe(call: Call): Answer {
  const body = jsonBody(call.rawBody, ['subscriptionType']);
  const subscriptionType = String(body['subscriptionType']);
  if (!types.includes(subscriptionType)) refuse(invalid(`${subscriptionType} is not a valid subscriptionType`));
  const lifecycle = subscriptionType === 'APP_LIFECYCLE_EVENT';
  const needed = lifecycle
    ? ['eventTypeId']
    : subscriptionType === 'LIST_MEMBERSHIP'
      ? ['portalId', 'actions']
      : ['portalId', 'objectTypeId', 'actions'];
  jsonBody(call.rawBody, needed);
  const portal = lifecycle
    ? undefined
    : (call.sim.portals.get(Number(body['portalId'])) ??
      refuse(invalid(`The app is not installed in portal ${String(body['portalId'])}`)));
  const objectType = body['objectTypeId'] === undefined ? undefined : portal?.typeNamed(String(body['objectTypeId']));
  if (body['objectTypeId'] !== undefined && portal && !objectType)
    refuse(invalid(`Invalid object or event type id: ${String(body['objectTypeId'])}`));
  return answer(
    200,
    show(
      call.sim.journal.subscribe({
        subscriptionType,
        portalId: portal?.portalId,
        objectTypeId: objectType?.id,
        eventTypeId: lifecycle ? String(body['eventTypeId']) : undefined,
        actions: list(body, 'actions', actions),
        properties: list(body, 'properties'),
        objectIds: list(body, 'objectIds'),
        associatedObjectTypeIds: list(body, 'associatedObjectTypeIds'),
        listIds: list(body, 'listIds'),
      }),
    ),
  );
}

const find = (call: Call): Subscription => call.sim.journal.subscriptions.get(Number(call.params['id'])) ?? refuse(notFound());

function drop(call: Call, id: number): void {
  call.sim.journal.subscriptions.delete(id);
  for (const filter of [...call.sim.journal.filters.values()])
    if (filter.subscriptionId === id) call.sim.journal.filters.delete(filter.id);
}

function dropPortal(call: Call): Answer {
  for (const one of [...call.sim.journal.subscriptions.values()])
    if (String(one.portalId) === call.params['portalId']) drop(call, one.id);
  return noContent;
}

function readCondition(given: unknown): FilterCondition {
  if (!isObject(given) || typeof given['property'] !== 'string' || !operators.includes(String(given['operator'])))
    return refuse(invalid('Invalid filter condition'));
  return {
    filterType: String(given['filterType'] ?? 'CRM_OBJECT_PROPERTY'),
    property: given['property'],
    operator: String(given['operator']),
    ...(given['value'] === undefined ? {} : { value: String(given['value']) }),
    ...(Array.isArray(given['values']) ? { values: given['values'].map(String) } : {}),
  };
}

function addFilter(call: Call): Answer {
  const body = jsonBody(call.rawBody, ['subscriptionId', 'filter']);
  const subscription = call.sim.journal.subscriptions.get(Number(body['subscriptionId'])) ?? refuse(notFound());
  const conditions = isObject(body['filter']) ? body['filter']['conditions'] : undefined;
  if (!Array.isArray(conditions) || conditions.length === 0) return refuse(invalid('A filter needs at least one condition'));
  return answer(200, { filterId: call.sim.journal.addFilter(subscription.id, conditions.map(readCondition)).id });
}

const showFilter = ({ id, createdAt, conditions }: SubscriptionFilter): Record<string, unknown> => ({
  id,
  createdAt,
  filter: { conditions },
});
const findFilter = (call: Call): SubscriptionFilter =>
  call.sim.journal.filters.get(Number(call.params['id'])) ?? refuse(notFound());

const read = { auth: 'app', method: 'GET', scope: 'developer.webhooks_journal.subscriptions.read' } as const;
const write = { auth: 'app', scope: 'developer.webhooks_journal.subscriptions.write' } as const;

/** Subscriptions of the journal and their filters. Changes before a subscription are not reported. */
export const subscriptionRoutes: readonly AppRoute[] = [
  {
    ...read,
    path: '/subscriptions',
    handle: (call) => answer(200, { results: [...call.sim.journal.subscriptions.values()].map(show) }),
  },
  { ...write, method: 'POST', path: '/subscriptions', handle: subscribe },
  { ...write, method: 'POST', path: '/subscriptions/filters', handle: addFilter },
  { ...read, path: '/subscriptions/:id', handle: (call) => answer(200, show(find(call))) },
  {
    ...write,
    method: 'DELETE',
    path: '/subscriptions/:id',
    handle: (call) => {
      drop(call, find(call).id);
      return noContent;
    },
  },
  { ...write, method: 'DELETE', path: '/subscriptions/portals/:portalId', handle: dropPortal },
  { ...read, path: '/subscriptions/filters/:id', handle: (call) => answer(200, showFilter(findFilter(call))) },
  {
    ...write,
    method: 'DELETE',
    path: '/subscriptions/filters/:id',
    handle: (call) => {
      call.sim.journal.filters.delete(findFilter(call).id);
      return noContent;
    },
  },
  {
    ...read,
    path: '/subscriptions/filters/subscription/:subId',
    handle: (call) =>
      answer(
        200,
        [...call.sim.journal.filters.values()]
          .filter((one) => String(one.subscriptionId) === call.params['subId'])
          .map(showFilter),
      ),
  },
];
