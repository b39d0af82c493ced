import { randomUUID } from 'node:crypto';
import { answer, noContent, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import { boolParam, intParam, isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { FormDefinition, FormField } from '../stores/form-store';

const iso = (ms: number): string => new Date(ms).toISOString();
const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

function fieldsOf(body: JsonObject): FormField[] {
  return list(body['fieldGroups']).flatMap((group) => list(group['fields'])).map((field) => ({
    objectTypeId: String(field['objectTypeId'] ?? '0-1'), name: String(field['name']),
    required: field['required'] === true, fieldType: String(field['fieldType'] ?? 'single_line_text'),
  }));
}

function afterOf(body: JsonObject): FormDefinition['after'] {
  const configuration = isObject(body['configuration']) ? body['configuration'] : {};
  const after = isObject(configuration['postSubmitAction']) ? configuration['postSubmitAction'] : {};
  const value = String(after['value'] ?? 'Thanks for submitting the form.');
  return { type: after['type'] === 'redirect_url' ? 'redirect_url' : 'thank_you', value };
}

/** What the CRM adds to a definition that does not say it; the official client reads no answer without a `formType`. */
const defaults = { formType: 'hubspot', fieldGroups: [], legalConsentOptions: { type: 'none' } };

const present = ({ body, id, name, createdAt, updatedAt, archived }: FormDefinition): object =>
  ({ ...defaults, ...body, id, name, createdAt: iso(createdAt), updatedAt: iso(updatedAt), archived });

/** Reads see the forms that are not archived, or with `archived=true` only those that are. */
const isAsked = ({ query }: PortalCall) => ({ archived }: FormDefinition): boolean => archived === boolParam(query, 'archived');

function formOf(call: PortalCall): FormDefinition {
  const form = call.portal.forms.forms.get(call.params['id']!);
  return form && isAsked(call)(form) ? form : refuse(notFound());
}

function made(call: PortalCall, id: string, body: JsonObject, createdAt: number): object {
  const at = call.portal.now();
  const form: FormDefinition = {
    id, name: String(body['name'] ?? ''), fields: fieldsOf(body), after: afterOf(body), body, createdAt, updatedAt: at,
    archived: false,
  };
  call.portal.forms.forms.set(id, form);
  return present(form);
}

const create = (call: PortalCall): Answer =>
  answer(201, made(call, randomUUID(), jsonBody(call.rawBody, ['name']), call.portal.now()));

/** PUT gives the whole definition, PATCH what changes of it. */
const change = (call: PortalCall): Answer => {
  const { id, body, createdAt } = formOf(call);
  const given = jsonBody(call.rawBody, call.method === 'PUT' ? ['name'] : []);
  return answer(200, made(call, id, call.method === 'PUT' ? given : { ...body, ...given }, createdAt));
};

/** It takes no submissions any more; reads with `archived=true` still see it. */
const archive = (call: PortalCall): Answer => {
  const form = formOf(call);
  call.portal.forms.forms.set(form.id, { ...form, archived: true, updatedAt: call.portal.now() });
  return noContent;
};

function listed(call: PortalCall): Answer {
  const types = call.query.getAll('formTypes');
  const forms = [...call.portal.forms.forms.values()].filter(isAsked(call))
    .filter(({ body }) => types.length === 0 || types.includes('all') || types.includes(String(body['formType'] ?? 'hubspot')));
  const limit = intParam(call.query, 'limit', 20, 1, 500);
  const after = intParam(call.query, 'after', 0, 0, Number.MAX_SAFE_INTEGER);
  const next = after + limit < forms.length ? { paging: { next: { after: String(after + limit) } } } : {};
  return answer(200, { results: forms.slice(after, after + limit).map(present), ...next });
}

const scopes = (): string[][] => [['forms']];
const route = (method: string, path: string, handle: PortalRoute['handle']): PortalRoute =>
  ({ method, path: `/marketing-forms${path}`, auth: 'portal', budget: 'burst', scopes, handle });

/** Form definitions (docs/reference/crm-api.md, Files and forms). */
export const formRoutes: readonly PortalRoute[] = [
  route('GET', '/', listed),
  route('POST', '/', create),
  route('GET', '/:id', (call) => answer(200, present(formOf(call)))),
  route('PUT', '/:id', change),
  route('PATCH', '/:id', change),
  route('DELETE', '/:id', archive),
];
