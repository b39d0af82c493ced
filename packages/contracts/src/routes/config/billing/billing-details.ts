import { defineRoute } from '../../../http/route';
import { bodyLimits, idText, nullableText, nullableTimestamp } from '../shared';

const tag = 'Billing';
const line = { type: ['string', 'null'], maxLength: 256 } as const;
const address = { line1: line, line2: line, city: line, postal_code: line, state: line } as const;
const countryText = {
  type: ['string', 'null'], pattern: '^[A-Z]{2}$', description: 'Two capital letters (ISO 3166-1).',
} as const;
const emailOrNull = { type: ['string', 'null'], format: 'email', maxLength: 254 } as const;

const details = {
  type: 'object',
  required: ['company_name', 'billing_email', 'address', 'vat_id'],
  properties: {
    company_name: nullableText,
    billing_email: nullableText,
    address: {
      type: 'object',
      required: ['line1', 'line2', 'city', 'postal_code', 'state', 'country'],
      properties: {
        line1: nullableText, line2: nullableText, city: nullableText, postal_code: nullableText, state: nullableText,
        country: nullableText,
      },
    },
    vat_id: nullableText,
  },
} as const;

const shared = { tag, auth: 'owner', keyRefusal: 'user_auth_required' } as const;

/** What is printed on invoices (docs/reference/accounts-and-plans.md, Billing). */
export const readBillingDetails = defineRoute({
  name: 'read_billing_details', method: 'get', path: '/api/v1/billing/details', ...shared,
  summary: 'What is printed on the invoices of the organization',
  answers: { 200: { description: 'null where nothing was given.', schema: details } },
  errors: [],
});

export const replaceBillingDetails = defineRoute({
  name: 'replace_billing_details',
  method: 'put',
  path: '/api/v1/billing/details',
  ...shared,
  audit: { action: 'billing.details', target: 'organization' },
  summary: 'Replace what is printed on the invoices; what is left out is empty',
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      company_name: line,
      billing_email: emailOrNull,
      address: {
        type: ['object', 'null'],
        additionalProperties: false,
        properties: { ...address, country: countryText },
      },
      vat_id: { type: ['string', 'null'], maxLength: 64 },
    },
  } as const,
  answers: { 200: { description: 'The details.', schema: details } },
  errors: ['billing_unavailable'],
  examples: [{ title: 'A shop in Vienna', body: { company_name: 'Shop', address: { city: 'Wien', country: 'AT' } } }],
});

const agreement = {
  type: 'object',
  required: ['id', 'title', 'version', 'url', 'accepted_at', 'accepted_by'],
  properties: {
    id: { type: 'string', enum: ['terms', 'dpa'] },
    title: { type: 'string' },
    version: { type: 'string' },
    url: { type: 'string' },
    accepted_at: { ...nullableTimestamp, description: 'null: nobody has accepted this version.' },
    accepted_by: { ...nullableText, description: 'The address of who accepted it.' },
  },
} as const;

const ofAgreements = { tag, auth: 'owner', keyRefusal: 'user_session_required' } as const;

export const listAgreements = defineRoute({
  name: 'list_agreements', method: 'get', path: '/api/v1/billing/agreements', ...ofAgreements,
  summary: 'The documents that an organization agrees to',
  answers: {
    200: {
      description: 'All of them, in their present version.',
      schema: { type: 'object', required: ['items'], properties: { items: { type: 'array', items: agreement } } },
    },
  },
  errors: [],
});

export const acceptAgreement = defineRoute({
  name: 'accept_agreement',
  method: 'post',
  path: '/api/v1/billing/agreements/:agreement_id/accept',
  ...ofAgreements,
  audit: { action: 'billing.accept_agreement', target: 'agreement', param: 'agreement_id' },
  summary: 'Accept the present version of a document; the first acceptance stays',
  params: { type: 'object', required: ['agreement_id'], properties: { agreement_id: idText } } as const,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: { 200: { description: 'The document.', schema: agreement } },
  errors: ['Not Found'],
});
