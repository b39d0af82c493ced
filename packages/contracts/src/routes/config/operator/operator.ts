import { organizationStates, tiers } from '../../../connector-change';
import { defineRoute } from '../../../http/route';
import { failingSources } from './failing-sources';
import { bodyLimits, emailText, freeObject, idText, nameText, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

const params = { type: 'object', required: ['organization_id'], properties: { organization_id: idText } } as const;
const tier = { type: 'string', enum: [...tiers] } as const;

const limit = { type: ['integer', 'null'], minimum: 0 } as const;
/** Names of the billing view's limits that may be agreed; null means unlimited. */
const limits = {
  type: 'object',
  additionalProperties: false,
  properties: {
    connectors_limit: limit,
    event_sources_limit: limit,
    events_limit: limit,
    seats_limit: limit,
    portals_limit: limit,
    custom_object_types_limit: limit,
    requests_per_second_limit: limit,
    flows_limit: limit,
    steps_limit: limit,
    api_keys_limit: limit,
  },
} as const;

const organization = {
  type: 'object',
  required: [
    'id',
    'name',
    'tier',
    'state',
    'limits',
    'per_record_ordering',
    'write_cap_review',
    'publish_review',
    'trial_ends_at',
    'created_at',
  ],
  properties: {
    id: uuid,
    name: { type: 'string' },
    tier,
    state: { type: 'string', enum: [...organizationStates] },
    limits,
    per_record_ordering: { type: 'boolean' },
    write_cap_review: { type: 'boolean' },
    publish_review: { type: 'boolean' },
    trial_ends_at: nullableTimestamp,
    created_at: timestamp,
  },
} as const;

/** The operator API (docs/reference/operator-api.md, Organizations). */
export const createOrganization = defineRoute({
  name: 'create_organization',
  method: 'post',
  path: '/operator/organizations',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'organization.create', target: 'organization' },
  summary: 'Create an organization with its owner',
  secretFields: ['owner_password'],
  bodyLimit: bodyLimits.small,
  description:
    "The owner's address counts as verified. An account that signed up with it and was never verified loses it: it is signed out and " +
    'its organization stays behind.',
  body: {
    type: 'object',
    required: ['name', 'owner_email', 'owner_password'],
    additionalProperties: false,
    properties: {
      name: nameText,
      owner_email: emailText,
      owner_password: { type: 'string', maxLength: 128 },
      tier: { ...tier, default: 'free' },
    },
  } as const,
  answers: {
    201: {
      description: 'Created.',
      schema: {
        type: 'object',
        required: ['organization_id', 'owner_user_id'],
        properties: { organization_id: uuid, owner_user_id: uuid },
      },
    },
  },
  errors: ['password_too_short', 'password_too_common', 'email_already_registered'],
});

export const getOrganization = defineRoute({
  name: 'get_organization', method: 'get', path: '/operator/organizations/:organization_id', tag: 'Operator', auth: 'operator',
  audit: { action: 'organization.read', target: 'organization', param: 'organization_id' },
  summary: 'Read an organization', params,
  answers: { 200: { description: 'The organization.', schema: organization } },
  errors: ['Not Found'],
});

export const updateOrganization = defineRoute({
  name: 'update_organization',
  method: 'patch',
  path: '/operator/organizations/:organization_id',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'organization.update', target: 'organization', param: 'organization_id' },
  summary: 'Change tier, state, limits and rollouts of an organization',
  params,
  bodyLimit: bodyLimits.small,
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      tier,
      state: { type: 'string', enum: [...organizationStates] },
      limits,
      per_record_ordering: { type: 'boolean' },
      write_cap_review: { type: 'boolean' },
      publish_review: { type: 'boolean' },
    },
  } as const,
  answers: { 200: { description: 'The changed organization.', schema: organization } },
  errors: ['Not Found'],
});

export const listMails = defineRoute({
  name: 'list_mails',
  method: 'get',
  path: '/operator/outbox',
  tag: 'Operator',
  auth: 'operator',
  audit: { action: 'outbox.read', target: 'user' },
  summary: 'Mails that would have been sent while no SMTP server is set',
  query: { type: 'object', additionalProperties: false, properties: { to: { type: 'string', maxLength: 254 } } } as const,
  answers: {
    200: {
      description: 'Newest first, at most 200.',
      schema: {
        type: 'object',
        required: ['items'],
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object',
              required: ['to', 'subject', 'text', 'links', 'sent_at'],
              properties: {
                to: { type: 'string' },
                subject: { type: 'string' },
                text: { type: 'string' },
                links: { type: 'array', items: { type: 'string' } },
                sent_at: timestamp,
              },
            },
          },
        },
      },
    },
  },
  errors: [],
});

const lagEntries = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    required: ['topic', 'group', 'partition', 'lag'],
    properties: {
      topic: { type: 'string' },
      group: { type: 'string' },
      partition: { type: 'integer' },
      lag: { type: 'integer' },
    },
  },
} as const;
const heldByReason = {
  type: ['object', 'null'],
  additionalProperties: { type: 'integer' },
  description: 'Events that wait, by reason.',
} as const;
const age = {
  type: ['integer', 'null'],
  description: 'Age of the oldest event that is unread or held; null: none is. To a second or an eighth of it.',
} as const;
const breakers = { ...freeObject, additionalProperties: { type: 'integer' }, description: 'Flow breakers by state.' } as const;
const uptime = { type: 'integer', description: 'Seconds.' } as const;

const serviceInstance = {
  type: 'object',
  required: ['name', 'version', 'uptime_seconds', 'instances', 'lag', 'held', 'oldest_unprocessed_seconds', 'breakers'],
  properties: {
    name: { type: 'string' },
    version: { type: ['string', 'null'], description: 'null: no instance runs.' },
    uptime_seconds: { ...uptime, type: ['integer', 'null'] },
    instances: {
      type: 'array',
      items: {
        type: 'object',
        required: ['version', 'uptime_seconds'],
        properties: { version: { type: 'string' }, uptime_seconds: uptime },
      },
    },
    lag: { ...lagEntries, description: 'Of what this service reads.' },
    held: heldByReason,
    oldest_unprocessed_seconds: age,
    breakers,
  },
} as const;

const outbox = {
  type: 'object', required: ['waiting', 'oldest_ms', 'set_aside', 'set_aside_items'],
  properties: {
    waiting: { type: 'integer', description: 'Changes that wait to be published to the other services.' },
    oldest_ms: { type: 'integer' },
    set_aside: { type: 'integer', description: 'Changes that the log will never accept.' },
    set_aside_items: {
      type: 'array', description: 'Newest first, at most 20. The next change of a connector replaces what was set aside.',
      items: {
        type: 'object', required: ['topic', 'key', 'bytes', 'reason', 'set_aside_at'],
        properties: {
          topic: { type: 'string' }, key: { type: 'string' }, bytes: { type: 'integer' }, reason: { type: 'string' },
          set_aside_at: timestamp,
        },
      },
    },
  },
} as const;

const background = {
  type: ['array', 'null'],
  description: 'Work that runs in the background, by worker.',
  items: {
    type: 'object',
    required: [
      'worker', 'tasks', 'running', 'due', 'oldest_due_seconds', 'failing', 'owner', 'last_started_at', 'last_ended_at',
      'last_error', 'next_due_at',
    ],
    properties: {
      worker: { type: 'string' },
      tasks: { type: 'integer' },
      running: { type: 'integer' },
      due: { type: 'integer', description: 'Due, and run by nobody yet.' },
      oldest_due_seconds: { type: 'integer', description: 'For how long the oldest of them has been due.' },
      failing: { type: 'integer', description: 'Tasks whose last run failed.' },
      owner: { ...nullableText, description: 'Who ran one last.' },
      last_started_at: nullableTimestamp, last_ended_at: nullableTimestamp, last_error: nullableText,
      next_due_at: nullableTimestamp,
    },
  },
} as const;

export const overview = defineRoute({
  name: 'overview',
  method: 'get',
  path: '/operator/overview',
  tag: 'Operator',
  auth: 'operator',
  summary: 'State of the services: versions, lag, held events, oldest waiting event, breakers',
  answers: {
    200: {
      description: 'Per service, and for the installation as a whole. A part that cannot be read is null.',
      schema: {
        type: 'object',
        required: [
          'services', 'lag', 'held', 'oldest_unprocessed', 'oldest_unprocessed_seconds', 'outbox', 'background', 'breakers',
          'failing_sources',
        ],
        properties: {
          services: { type: 'array', items: serviceInstance },
          lag: lagEntries,
          held: heldByReason,
          oldest_unprocessed: {
            type: ['array', 'null'],
            items: {
              type: 'object',
              required: ['service', 'topic', 'age_seconds'],
              properties: { service: { type: 'string' }, topic: { type: 'string' }, age_seconds: age },
            },
          },
          oldest_unprocessed_seconds: age,
          outbox,
          background,
          breakers,
          failing_sources: failingSources,
        },
      },
    },
  },
  errors: [],
});
