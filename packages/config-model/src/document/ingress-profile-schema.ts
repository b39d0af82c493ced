import { ingressSplits } from '@sluice/contracts';
import { configLimits } from './config-limits';

const eventType = { type: 'string', minLength: 1, maxLength: 256, pattern: '\\S' };
const eventTypes = { type: 'array', minItems: 1, maxItems: configLimits.ingressEvents, items: eventType };

/** `.` and `..` cannot be parts of a path. */
const actionName = '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$';

const route = {
  type: 'object',
  additionalProperties: false,
  required: ['path'],
  description: 'Exactly one of event and event_field.',
  properties: {
    path: {
      type: 'string', minLength: 1, maxLength: 512, pattern: '\\S',
      description: 'Below /api/v1/compat/{connector_id}/. Case and extra slashes make no difference.',
    },
    event: { ...eventType, description: 'Type of every event; the event field of the body is ignored.' },
    event_field: {
      type: 'string', minLength: 1, maxLength: 256,
      description: 'Dotted path of the body that holds the event type, such as meta.kind.',
    },
    events: { ...eventTypes, description: 'Accepted values of event_field; others get 400. Absent: every value.' },
    split: {
      enum: [...ingressSplits], default: 'entities',
      description: 'entities: one event for each item of entities, whose data is the item. none: one event with the whole body.',
    },
  },
};

/** JSON Schema of the legacy ingress. */
export const ingressProfileSchema = {
  type: 'object',
  description: 'Paths that behave as those of the service that Sluice replaces.',
  additionalProperties: false,
  required: ['auth_header', 'routes'],
  properties: {
    auth_header: {
      type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$',
      description: 'Header in which callers send their key.',
    },
    max_entities: { type: 'integer', minimum: 1, maximum: 500, default: 500, description: 'Largest entities list of one call.' },
    routes: { type: 'array', minItems: 1, maxItems: configLimits.ingressRoutes, items: route },
    resend_actions: {
      type: 'object',
      default: {},
      description: 'Action name to the event types whose calls it may send again. A route must be able to make each of them.',
      maxProperties: configLimits.ingressActions,
      propertyNames: { type: 'string', minLength: 1, maxLength: 64, pattern: actionName },
      additionalProperties: { ...eventTypes, ...eventType, type: ['string', 'array'] },
    },
    fallback: {
      type: ['object', 'null'],
      default: null,
      description: 'The service that Sluice replaces; calls are forwarded to it while enabled.',
      additionalProperties: false,
      required: ['base_url'],
      properties: {
        base_url: { type: 'string', minLength: 1, maxLength: 2048, description: 'Base of every path.' },
        enabled: { type: 'boolean', default: true, description: 'Whether calls are forwarded.' },
      },
    },
  },
};
