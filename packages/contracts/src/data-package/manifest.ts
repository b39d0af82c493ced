import type { FromSchema } from 'json-schema-to-ts';
import { packageCategories } from './package-files';
import { count, text, time, uuid } from './line-schema';

/**
 * Raised when a file is removed or renamed, or a field changes its meaning. Readers ignore files and fields that they do not
 * know.
 */
export const packageFormatVersion = 1;

const file = {
  type: 'object',
  required: ['path', 'format', 'bytes', 'sha256'],
  properties: {
    path: text,
    format: { type: 'string', enum: ['jsonl', 'typescript', 'javascript'] },
    records: { ...count, description: 'Lines; of JSON Lines only.' },
    bytes: count,
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'Of the unpacked file.' },
    plugin: { ...text, description: 'The name of the plugin whose code it is.' },
  },
} as const;

/** The schema of `manifest.json`. */
export const packageManifestSchema = {
  type: 'object',
  required: [
    'format_version', 'export_id', 'organization_id', 'scope', 'connector_ids', 'generated_at', 'categories', 'exclusions',
  ],
  properties: {
    format_version: { type: 'integer', minimum: 1 },
    export_id: uuid,
    organization_id: uuid,
    scope: { type: 'string', enum: ['organization', 'connector'] },
    connector_ids: { type: 'array', items: uuid },
    generated_at: time,
    categories: {
      type: 'array',
      items: {
        type: 'object', required: ['name', 'files'],
        properties: { name: { type: 'string', enum: packageCategories }, files: { type: 'array', items: file } },
      },
    },
    exclusions: {
      type: 'array',
      items: {
        type: 'object', required: ['name', 'description', 'reason'],
        properties: { name: text, description: text, reason: text },
      },
    },
  },
} as const;
export type PackageManifest = FromSchema<typeof packageManifestSchema>;
export type PackageManifestFile = PackageManifest['categories'][number]['files'][number];

/** What no package holds. */
export const packageExclusions = [
  {
    name: 'credentials',
    description: 'Tokens, keys and passwords of the CRM and of other systems.',
    reason: 'They are stored encrypted and never shown again; connect the systems anew.',
  },
  {
    name: 'event_source_secrets',
    description: 'Secrets of webhook sources.',
    reason: 'A publish makes new ones.',
  },
  {
    name: 'organization_api_keys',
    description: 'Keys of the organization.',
    reason: 'Only their hashes are stored.',
  },
  {
    name: 'connector_api_keys',
    description: 'Keys of connectors, and of their legacy ingress.',
    reason: 'Only their hashes are stored.',
  },
  {
    name: 'accounts',
    description: 'Passwords, sessions and second factors of members.',
    reason: 'They belong to persons, not to the organization.',
  },
  {
    name: 'secret_values',
    description: 'Values of headers, of secret-looking keys of configs and of what plugins store: `[masked]` stands in their place.',
    reason: 'They may be secrets.',
  },
] as const;
