import { tiers } from '../../../connector-change';
import { defineRoute } from '../../../http/route';
import { nullableText, timestamp } from '../shared';

const used = { type: 'integer', minimum: 0 } as const;
const limit = { type: ['integer', 'null'], minimum: 0, description: 'null: unlimited.' } as const;
const properties = {
  tier: { type: 'string', enum: [...tiers] },
  connectors_used: used, connectors_limit: limit, event_sources_used: used, event_sources_limit: limit,
  events_used_this_period: used, events_limit: limit, period_resets_at: timestamp,
  seats_used: used, seats_limit: limit, portals_used: used, portals_limit: limit,
  custom_object_types_used: used, custom_object_types_limit: limit, custom_objects_enabled: { type: 'boolean' },
  upgrade_url: { type: 'string' }, trial_blocked_reason: nullableText,
} as const;

/** The billing view: limits in force and what is used of them (docs/reference/accounts-and-plans.md, Plans). */
export const billingMe = defineRoute({
  name: 'billing_me',
  method: 'get',
  path: '/api/v1/billing/me',
  tag: 'Billing',
  auth: 'config',
  summary: 'The plan, its limits and what is used of them',
  answers: {
    200: {
      description: "Agreed limits replace the plan's own.",
      schema: { type: 'object', required: Object.keys(properties).filter((name) => name !== 'trial_blocked_reason'), properties },
    },
  },
  errors: [],
});

/** A guide to read without an account: from sign-up to a record in the CRM. */
export const quickstart = defineRoute({
  name: 'quickstart',
  method: 'get',
  path: '/api/quickstart.md',
  tag: 'Catalogue',
  auth: 'none',
  summary: 'The shortest way from sign-up to a record in the CRM, as commands',
  answers: { 200: { description: 'A guide.', contentType: 'text/markdown', schema: { type: 'string' } } },
  errors: [],
});

/** The catalogue for editors of configs; it is the same for every organization. */
export const configSurface = defineRoute({
  name: 'config_surface',
  method: 'get',
  path: '/api/config-surface',
  tag: 'Catalogue',
  auth: 'config',
  summary: 'Actions, transforms, conditions, sources and the JSON Schema of the config document',
  answers: {
    200: {
      description: 'The catalogue.',
      schema: {
        type: 'object',
        required: ['actions', 'transforms', 'when', 'sources', 'json_schema', 'plugin_embedded_fields'],
        additionalProperties: true,
      },
    },
    304: { description: 'The caller has it: `If-None-Match` names its `ETag`.' },
  },
  errors: [],
});
