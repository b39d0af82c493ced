import { organizationStates, tiers } from '../../../connector-change';
import { defineRoute } from '../../../http/route';
import { organizationParams } from './organization-schema';
import { bodyLimits, nameText, pageOf, pageQuery, presentPassword, timestamp, uuid } from '../shared';

const tag = 'Organization';
const role = { type: ['string', 'null'], enum: ['owner', 'member', null], description: 'null for an organization key.' } as const;
const facts = {
  id: uuid,
  name: { type: 'string' },
  tier: { type: 'string', enum: [...tiers] },
  state: { type: 'string', enum: [...organizationStates] },
} as const;

const listed = { type: 'object', required: ['id', 'name', 'role', 'tier', 'state'], properties: { ...facts, role } } as const;

const organization = {
  type: 'object',
  required: ['id', 'name', 'tier', 'state', 'role', 'publish_review', 'ordering', 'created_at'],
  properties: {
    ...facts,
    role,
    publish_review: { type: 'boolean' },
    ordering: { type: 'string', enum: ['record', 'connector'], description: 'Whether record keys order events.' },
    created_at: timestamp,
    closes_at: { ...timestamp, description: 'While it is closing: the end of the recovery period.' },
  },
} as const;

/** The organizations of a person (docs/reference/accounts-and-plans.md, Organizations). */
export const listOrganizations = defineRoute({
  name: 'list_organizations', method: 'get', path: '/api/orgs', tag, auth: 'account_or_key',
  summary: 'List the organizations of the caller',
  query: pageQuery,
  answers: { 200: { description: 'Oldest membership first. For an organization key: its own.', schema: pageOf(listed) } },
  errors: [],
});

export const addOrganization = defineRoute({
  name: 'add_organization',
  method: 'post',
  path: '/api/orgs',
  tag,
  auth: 'account',
  keyRefusal: 'api_key_cannot_create_org',
  audit: { action: 'organization.create', target: 'organization' },
  summary: 'Create one more organization, owned by the caller; the active one stays active',
  bodyLimit: bodyLimits.small,
  body: { type: 'object', required: ['name'], additionalProperties: false, properties: { name: nameText } } as const,
  answers: { 201: { description: 'The organization. It starts on `free` unless a trial is left.', schema: listed } },
  errors: ['Rate limit exceeded for org'],
  examples: [{ title: 'A second shop', body: { name: 'Second shop' } }],
});

export const readOrganization = defineRoute({
  name: 'read_organization', method: 'get', path: '/api/orgs/:organization_id', tag, auth: 'config', organization: 'any',
  summary: 'Read an organization of the caller, active or not',
  params: organizationParams,
  answers: { 200: { description: 'The organization.', schema: organization } },
  errors: ['Not Found'],
});

export const changeOrganization = defineRoute({
  name: 'change_organization',
  method: 'patch',
  path: '/api/orgs/:organization_id',
  tag,
  auth: 'owner',
  organization: 'active',
  audit: { action: 'organization.update', target: 'organization', param: 'organization_id' },
  summary: 'Change name, review gate and ordering of the organization',
  params: organizationParams,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: nameText,
      publish_review: { type: 'boolean' },
      ordering: { type: 'string', enum: ['record', 'connector'] },
    },
  } as const,
  answers: { 200: { description: 'The changed organization.', schema: organization } },
  errors: ['Not Found'],
  examples: [{ title: 'Review every publish', body: { publish_review: true } }],
});

export const closeOrganization = defineRoute({
  name: 'close_organization',
  method: 'post',
  path: '/api/orgs/:organization_id/close',
  tag,
  auth: 'owner',
  organization: 'active',
  audit: { action: 'organization.close', target: 'organization', param: 'organization_id' },
  summary: 'Close the organization: events are refused at once; it can be reopened until `closes_at`',
  params: organizationParams,
  secretFields: ['password'],
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object', required: ['password'], additionalProperties: false, properties: { password: presentPassword },
  } as const,
  answers: { 200: { description: 'The organization, `closing`.', schema: organization } },
  errors: ['Not Found', 'wrong_password', 'organization_closing', 'too_many_attempts'],
  examples: [{ title: 'Close it', body: { password: 'correct horse battery' } }],
});

export const reopenOrganization = defineRoute({
  name: 'reopen_organization',
  method: 'post',
  path: '/api/orgs/:organization_id/reopen',
  tag,
  auth: 'owner',
  organization: 'active',
  audit: { action: 'organization.reopen', target: 'organization', param: 'organization_id' },
  summary: 'Reopen an organization that is closing',
  params: organizationParams,
  bodyRequired: false,
  bodyLimit: bodyLimits.small,
  body: { type: 'object', additionalProperties: false, properties: {} } as const,
  answers: { 200: { description: 'The organization, `active` again.', schema: organization } },
  errors: ['Not Found', 'organization_not_closing'],
});

const assistantSwitch = {
  type: 'object', required: ['enabled'], additionalProperties: false, properties: { enabled: { type: 'boolean' } },
} as const;

/** Whether anything of an organization goes to the model of the assistant (docs/reference/assistant.md). */
export const readAssistantSwitch = defineRoute({
  name: 'read_assistant_switch',
  method: 'get',
  path: '/api/orgs/:organization_id/assistant',
  tag,
  auth: 'config',
  organization: 'active',
  summary: 'Whether the organization lets its members use the assistant',
  params: organizationParams,
  answers: { 200: { description: 'On unless an owner has switched it off.', schema: assistantSwitch } },
  errors: ['Not Found'],
});

export const setAssistantSwitch = defineRoute({
  name: 'set_assistant_switch',
  method: 'put',
  path: '/api/orgs/:organization_id/assistant',
  tag,
  auth: 'owner',
  organization: 'active',
  audit: { action: 'organization.update', target: 'organization', param: 'organization_id' },
  summary: 'Switch the assistant off for the whole organization, or on again',
  description: 'It holds at once: a turn under way ends before it asks its model again. Conversations stay and can be read.',
  params: organizationParams,
  bodyLimit: bodyLimits.small,
  body: assistantSwitch,
  answers: { 200: { description: 'As it is from now on.', schema: assistantSwitch } },
  errors: ['Not Found'],
  examples: [{ title: 'Off', body: { enabled: false } }],
});
