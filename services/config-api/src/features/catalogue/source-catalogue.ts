import type { SourceType } from '@sluice/contracts';

interface SourceField {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** A kind of event source as /api/config-surface shows it. */
export interface SourceEntry {
  type: SourceType;
  /** An external system calls in. */
  push: boolean;
  description: string;
  fields: SourceField[];
  limits: { id: string; text: string }[];
}

const field = (name: string, type: string, required: boolean, description: string): SourceField => ({
  name,
  type,
  required,
  description,
});
const credentialName = field('credential_name', 'string', false, 'Name of a credential of the organization.');
const defaultHeaders = field('default_headers', 'object', false, 'Headers of every request.');
const secretHeaders = field('secret_headers', 'object', false, 'Header name to the name of an api_key credential.');

/** Every kind of event source (docs/reference/config-document.md, Sources). */
export const sourceCatalogue: readonly SourceEntry[] = [
  {
    type: 'event_api',
    push: true,
    description: 'Events sent to POST /api/v1/events. Needs no declaration.',
    fields: [],
    limits: [{ id: 'entities_per_request', text: 'At most 200 entities per request.' }],
  },
  {
    type: 'webhook',
    push: true,
    description: 'Signed calls of an external system.',
    fields: [
      field('verify_signature', 'string', false, 'hmac_sha256.'),
      field('signature_header', 'string', false, 'Header that carries the signature.'),
      field('event_type_path', 'reference', false, 'JSONPath of the event type.'),
      field('event_type_header', 'string', false, 'Header that carries the event type.'),
      field('split_path', 'reference', false, 'JSONPath of a list: one event per entry.'),
      field('dedupe_header', 'string', false, 'Header whose value within 24 hours is the same event.'),
      field('dedupe_path', 'reference', false, 'JSONPath of such a value.'),
      field('signature_timestamp_header', 'string', false, 'Header with the time that is signed with the body.'),
      field('signature_tolerance_seconds', 'integer', false, 'How old that time may be.'),
    ],
    limits: [{ id: 'body_size', text: 'At most 5 MiB per call.' }],
  },
  {
    type: 'poller',
    push: false,
    description: 'GET requests on a schedule; follows pages.',
    fields: [
      field('url', 'string', true, 'What is read.'),
      field('schedule', 'string', false, 'Cron; empty: every worker tick.'),
      credentialName,
      defaultHeaders,
      secretHeaders,
    ],
    limits: [],
  },
  {
    type: 'scheduled',
    push: false,
    description: 'A tick on a schedule.',
    fields: [field('schedule', 'string', true, 'Cron.')],
    limits: [],
  },
  {
    type: 'crm',
    push: false,
    description: 'The change journal of the CRM.',
    fields: [field('enrich_properties', 'object', false, 'Properties read along with each change, per object type.')],
    limits: [{ id: 'poll_interval', text: 'Read every 30 seconds.' }],
  },
  {
    type: 'rest',
    push: false,
    description: 'An external REST API that flows post to.',
    fields: [
      field('base_url', 'string', true, 'Base of every path.'),
      credentialName,
      field('auth_type', 'string', false, 'header, bearer or basic.'),
      field('auth_header', 'string', false, 'Header name of auth_type header; X-API-Key when absent.'),
      defaultHeaders,
      secretHeaders,
      field('dry_run_response', 'object', false, '{status, body, headers} of a dry run.'),
    ],
    limits: [],
  },
  { type: 'file', push: true, description: 'Files that are dropped; one event per row.', fields: [], limits: [] },
];
