import type { FromSchema } from 'json-schema-to-ts';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';

const headerName = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' } as const;

export const webhookSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url_template: {
      type: 'string', maxLength: 512,
      description: 'Where the calls go, for readers of the config: /api/webhooks/{connector_id}/<name>.',
    },
    verify_signature: {
      type: 'string', enum: ['hmac_sha256', 'none'], default: 'hmac_sha256',
      description:
        'How a call proves where it comes from: HMAC-SHA256 over the raw body, hex or base64. none: by a random part of its URL alone, '
        + 'for senders that cannot sign.',
    },
    signature_scheme: {
      type: 'string', enum: ['plain', 'stripe', 'svix', 'github'], default: 'plain',
      description:
        'Form of the signature. plain: that of the body, or of <time>.<body>. stripe: t=<time>,v1=<signature>. svix: v1,<base64> over '
        + '<id>.<time>.<body>, several separated by spaces. github: sha256=<signature>.',
    },
    signature_header: {
      ...headerName, default: 'X-Signature',
      description:
        'Header that carries the signature. Default of stripe: Stripe-Signature, of svix: svix-signature, of github: '
        + 'X-Hub-Signature-256.',
    },
    signature_timestamp_header: {
      ...headerName, description: 'Header with the time that is signed with the body. Of the schemes plain and svix.',
    },
    signature_tolerance_seconds: {
      type: 'integer', minimum: 1, maximum: 86_400, default: 300,
      description: 'How far that time may be from now, in both directions. Of plain: needs signature_timestamp_header.',
    },
    ...eventFields,
    event_type_header: { ...headerName, description: 'Header that carries the event type.' },
    split_path: {
      type: 'string', maxLength: 1000, 'x-holds': 'path', description: 'JSONPath of a list, or of its elements (`$.items[*]`): one event for each of them.',
    },
    dedupe_header: { ...headerName, description: 'Header whose value within 24 hours means the same call.' },
    dedupe_path: { type: 'string', maxLength: 1000, 'x-holds': 'path', description: 'JSONPath of such a value.' },
  },
} as const satisfies SourceConfigSchema;

export type WebhookConfig = FromSchema<typeof webhookSchema, { keepDefaultedPropertiesOptional: true }>;
