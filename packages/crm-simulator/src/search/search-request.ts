import { liveProperty, type TypeDefinitions } from '../stores/definition-store';
import type { PropertyDefinition } from '../stores/property-definition';
import { invalid, refuse } from '../http/refusal';
import { isObject, stringList, type JsonObject } from '../http/request-body';

/** A checked filter. `association` filters look at partners of that object type name instead of a property. */
export interface SearchFilter {
  readonly property: string;
  readonly association?: string;
  readonly definition?: PropertyDefinition;
  readonly operator: string;
  readonly value?: string;
  readonly highValue?: string;
  readonly values: readonly string[];
}

export interface SearchRequest {
  readonly groups: readonly (readonly SearchFilter[])[];
  readonly query: string;
  readonly sort?: { readonly property: string; readonly descending: boolean };
  readonly properties: readonly string[];
  readonly limit: number;
  readonly after: number;
}

const withValue = new Set(['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'CONTAINS_TOKEN', 'NOT_CONTAINS_TOKEN']);
const withValues = new Set(['IN', 'NOT_IN']);
const withoutValue = new Set(['HAS_PROPERTY', 'NOT_HAS_PROPERTY']);
const maxGroups = 5;
const maxFiltersPerGroup = 6;
const maxFilters = 18;
const maxQuery = 3_000;
const maxLimit = 200;
/** Results beyond this cannot be reached. */
const resultCap = 10_000;

const bad = (message: string): never => refuse(invalid(message));

function text(value: unknown, property: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.trim() === '')
    return bad(`Invalid filter on ${property}: a value is required and must not be blank`);
  return value;
}

function readFilter(given: unknown, definitions: TypeDefinitions): SearchFilter {
  if (!isObject(given)) return bad('Invalid input JSON on line 1, column 2: filters must be objects');
  const { propertyName, operator } = given;
  if (typeof propertyName !== 'string' || typeof operator !== 'string')
    return bad('Invalid input JSON on line 1, column 2. Some required fields were not set: [propertyName, operator]');
  const association = /^associations\.(.+)$/.exec(propertyName)?.[1];
  const definition = liveProperty(definitions, propertyName);
  if (!definition && association === undefined)
    return bad(`There was a problem with the request: property ${propertyName} does not exist`);
  const base = { property: propertyName, association, definition, operator };
  if (withoutValue.has(operator)) return { ...base, values: [] };
  if (withValue.has(operator)) return { ...base, value: text(given['value'], propertyName), values: [] };
  if (operator === 'BETWEEN')
    return { ...base, value: text(given['value'], propertyName), highValue: text(given['highValue'], propertyName), values: [] };
  if (!withValues.has(operator)) return bad(`Invalid input JSON on line 1, column 2: ${operator} is not a valid filter operator`);
  const { values } = given;
  if (!Array.isArray(values) || values.length === 0)
    return bad(`Invalid filter on ${propertyName}: ${operator} needs a list of values`);
  return { ...base, values: values.map((value) => text(value, propertyName)) };
}

function readGroups(body: JsonObject, definitions: TypeDefinitions): SearchFilter[][] {
  const given = body['filterGroups'] ?? [];
  if (!Array.isArray(given)) return bad('Invalid input JSON on line 1, column 2: filterGroups must be a list');
  const lists: unknown[] = given.map((group) => (isObject(group) ? (group['filters'] ?? []) : undefined));
  if (body['filters'] !== undefined) lists.push(body['filters']);
  if (lists.length > maxGroups) bad(`Too many filter groups: at most ${maxGroups} are allowed`);
  const groups = lists.map((list) =>
    Array.isArray(list)
      ? list.map((filter) => readFilter(filter, definitions))
      : bad('Invalid input JSON on line 1, column 2: filters must be a list'),
  );
  if (groups.some((group) => group.length > maxFiltersPerGroup))
    bad(`Too many filters in one group: at most ${maxFiltersPerGroup} are allowed`);
  if (groups.reduce((sum, group) => sum + group.length, 0) > maxFilters)
    bad(`Too many filters: at most ${maxFilters} are allowed`);
  return groups.filter((group) => group.length > 0);
}

function readSort(body: JsonObject, definitions: TypeDefinitions): SearchRequest['sort'] {
  const { sorts } = body;
  if (sorts === undefined || sorts === null) return undefined;
  if (!Array.isArray(sorts) || sorts.length > 1) return bad('Only one sort is allowed');
  const first: unknown = sorts[0];
  if (first === undefined) return undefined;
  const named =
    typeof first === 'string'
      ? { propertyName: first.replace(/^-/, ''), direction: first.startsWith('-') ? 'DESCENDING' : 'ASCENDING' }
      : first;
  if (!isObject(named) || typeof named['propertyName'] !== 'string')
    return bad('Invalid input JSON on line 1, column 2: invalid sort');
  if (!liveProperty(definitions, named['propertyName']))
    bad(`There was a problem with the request: property ${named['propertyName']} does not exist`);
  return { property: named['propertyName'], descending: named['direction'] === 'DESCENDING' };
}

/** Reads a search body and enforces the limits of the CRM (docs/reference/crm-api.md, Search). */
export function readSearch(body: JsonObject, definitions: TypeDefinitions): SearchRequest {
  const limit = body['limit'] === undefined ? 10 : Number(body['limit']);
  if (!Number.isInteger(limit) || limit < 0 || limit > maxLimit)
    bad(`Invalid limit: ${String(body['limit'])} (allowed: 0 to ${maxLimit})`);
  const after = body['after'] === undefined || body['after'] === '' ? 0 : Number(body['after']);
  if (!Number.isInteger(after) || after < 0) bad(`Invalid after: ${String(body['after'])}`);
  if (after + limit > resultCap) bad(`Paging beyond ${resultCap} results is not supported`);
  const query = body['query'] ?? '';
  if (typeof query !== 'string' || query.length > maxQuery) return bad(`Invalid query: at most ${maxQuery} characters`);
  return {
    groups: readGroups(body, definitions),
    query,
    sort: readSort(body, definitions),
    properties: stringList(body, 'properties'),
    limit,
    after,
  };
}
