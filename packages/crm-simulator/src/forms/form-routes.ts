import { randomUUID } from 'node:crypto';
import { answer, noContent, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import { isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { FormDefinition, FormField } from './form-store';

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

const present = ({ body, id, name, createdAt, updatedAt, archived }: FormDefinition): object =>
  ({ ...body, id, name, createdAt: iso(createdAt), updatedAt: iso(updatedAt), archived });

const formOf = ({ portal, params }: PortalCall): FormDefinition => portal.forms.forms.get(params['id']!) ?? refuse(notFound());

function keep(call: PortalCall, id: string, body: JsonObject, createdAt: number): Answer {
  const at = call.portal.now();
  const form: FormDefinition = {
    id, name: String(body['name'] ?? ''), fields: fieldsOf(body), after: afterOf(body), body, createdAt, updatedAt: at,
    archived: false,
  };
  call.portal.forms.forms.set(id, form);
  return answer(200, present(form));
}

const scopes = (): string[][] => [['forms']];
const route = (method: string, path: string, handle: PortalRoute['handle']): PortalRoute =>
  ({ method, path: `/marketing-forms${path}`, auth: 'portal', budget: 'burst', scopes, handle });

/** Form definitions (docs/reference/crm-api.md, Files and forms). */
export const formRoutes: readonly PortalRoute[] = [
  route('GET', '/', (call) => answer(200, { results: [...call.portal.forms.forms.values()].map(present) })),
  route('POST', '/', (call) => keep(call, randomUUID(), jsonBody(call.rawBody, ['name']), call.portal.now())),
  route('GET', '/:id', (call) => answer(200, present(formOf(call)))),
  ...['PUT', 'PATCH'].map((method) =>
    route(method, '/:id', (call) => {
      const form = formOf(call);
      return keep(call, form.id, { ...form.body, ...jsonBody(call.rawBody) }, form.createdAt);
    })),
  route('DELETE', '/:id', (call) => {
    call.portal.forms.forms.delete(formOf(call).id);
    return noContent;
  }),
];
