import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { answer, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import { isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { OpenRoute, PortalRoute } from '../http/route';
import { commitWrite } from '../records/commit-write';
import { prepareWrite } from '../records/prepare-write';
import type { PortalState } from '../state/portal-state';
import type { FormDefinition, FormSubmission } from '../stores/form-store';

interface FormError {
  readonly message: string;
  readonly errorType: string;
}

type Values = FormSubmission['values'];

/** Values of one field at most. */
const maxFields = 1_000;
const maxValueLength = 65_536;

function submit(portal: PortalState, formId: string, body: JsonObject): Answer {
  const form = portal.forms.forms.get(formId);
  if (!form || form.archived) return refuse(notFound(`No form of the id ${formId}`));
  const values = valuesOf(body);
  const errors = body['skipValidation'] === true ? [] : [...valueErrors(form, values), ...contextErrors(body['context'])];
  if (errors.length > 0)
    return answer(400, {
      status: 'error', message: 'The request is not valid', correlationId: randomUUID(), errors,
    });
  portal.forms.submissions.push({ formId, at: portal.now(), values });
  writeContact(portal, values);
  const { type, value } = form.after;
  return answer(200, type === 'redirect_url' ? { redirectUri: value } : { inlineMessage: value });
}

function valuesOf(body: JsonObject): Values {
  const fields: unknown[] = Array.isArray(body['fields']) ? body['fields'] : [];
  return fields.filter(isObject).map((field) => ({
    objectTypeId: String(field['objectTypeId'] ?? '0-1'), name: String(field['name']), value: String(field['value'] ?? ''),
  }));
}

function valueErrors({ fields }: FormDefinition, values: Values): FormError[] {
  const errors: FormError[] = [];
  const add = (errorType: string, message: string): void => {
    errors.push({ message: `Error in 'fields'. ${message}`, errorType });
  };
  if (values.length > maxFields) add('MAX_NUMBER_OF_SUBMITTED_VALUES_EXCEEDED', `At most ${maxFields} values may be sent`);
  for (const { name, required } of fields) {
    if (required && !values.some((value) => value.name === name && value.value !== ''))
      add('REQUIRED_FIELD', `Required field '${name}' is missing`);
  }
  for (const { objectTypeId, name, value } of values) {
    const field = fields.find((one) => one.name === name && one.objectTypeId === objectTypeId);
    if (!field) add('FIELD_NOT_IN_FORM_DEFINITION', `Field '${name}' is not in the form`);
    if (value.length > maxValueLength) add('INPUT_TOO_LARGE', `The value of '${name}' is too long`);
    if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) add('INVALID_EMAIL', `'${name}' is not an email address`);
    if (field?.fieldType === 'number' && !Number.isFinite(Number(value))) add('INVALID_NUMBER', `'${name}' is not a number`);
  }
  return errors;
}

function contextErrors(context: unknown): FormError[] {
  if (!isObject(context)) return [];
  const { hutk, ipAddress } = context;
  const badCookie = hutk !== undefined && !/^[0-9a-f]{32}$/i.test(String(hutk));
  const badAddress = ipAddress !== undefined && isIP(String(ipAddress)) === 0;
  return [
    ...(badCookie ? [{ errorType: 'INVALID_HUTK', message: 'Error in context.hutk: not the cookie of a visitor' }] : []),
    ...(badAddress ? [{ errorType: 'INVALID_IP_ADDRESS', message: 'Error in context.ipAddress: not an IP address' }] : []),
  ];
}

/** The contact with the email gets the values that are contact properties; without an email there is no contact. */
function writeContact(portal: PortalState, values: Values): void {
  const type = portal.typeById('0-1')!;
  const { definitions, store } = portal.space(type);
  const known = values.filter(({ objectTypeId, name }) => objectTypeId === '0-1' && definitions.properties.has(name));
  const properties = Object.fromEntries(known.map(({ name, value }) => [name, value]));
  if (!properties['email']) return;
  const existing = store.holder('email', properties['email'].trim().toLowerCase());
  const prepared = prepareWrite({ portal, type, properties, claims: new Map(), ...(existing ? { existing } : {}) });
  if ('plan' in prepared) commitWrite(portal, type, prepared.plan, { source: 'user', user: 'form' });
}

const bodyOf = (rawBody: string): JsonObject => jsonBody(rawBody, ['fields']);

/**
 * Submissions (docs/reference/crm-api.md, Files and forms), served on the one port: with a token of the portal, and without any.
 */
export const submitRoutes: readonly (OpenRoute | PortalRoute)[] = [
  {
    method: 'POST', path: '/submissions/secure/submit/:portal/:form', auth: 'portal', budget: 'burst', scopes: () => [['forms']],
    handle: ({ portal, params, rawBody }) =>
      params['portal'] === String(portal.portalId) ? submit(portal, params['form']!, bodyOf(rawBody)) : refuse(notFound()),
  },
  {
    method: 'POST', path: '/submissions/submit/:portal/:form', auth: 'none',
    handle: ({ sim, params, rawBody }) =>
      submit(sim.portals.get(Number(params['portal'])) ?? refuse(notFound()), params['form']!, bodyOf(rawBody)),
  },
];
