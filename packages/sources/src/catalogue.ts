import type { SourceType } from '@sluice/contracts';
import { type AnySource, isServed, type SourceExample } from './define-source';
import type { SourceFieldSchema } from './field-schema';
import { allSources } from './registry';

/** A field of a source as /api/config-surface shows it: every key present. */
export interface SourceField {
  name: string;
  type: string;
  required: boolean;
  description: string;
  default: unknown;
  enum_values: unknown[] | null;
}

/** A type of source as /api/config-surface shows it. */
export interface SourceEntry {
  type: SourceType;
  title: string;
  description: string;
  /** An external system calls in. */
  push: boolean;
  direction: 'inbound' | 'outbound';
  /** Whether this installation serves it. */
  served: boolean;
  default_event_type: string | null;
  fields: SourceField[];
  limits: { id: string; text: string }[];
  examples: SourceExample[];
}

/** Every type of source, as `GET /api/config-surface` describes it. */
export function sourceCatalogue(): SourceEntry[] {
  return allSources().map(entryOf);
}

function entryOf(source: AnySource): SourceEntry {
  const { configSchema, defaultEventType } = source;
  return {
    type: source.type,
    title: source.title,
    description: source.description,
    push: source.push,
    direction: source.direction,
    served: isServed(source),
    default_event_type: defaultEventType === null ? null : `<source>.${defaultEventType}`,
    fields: Object.entries(configSchema.properties).map(([name, schema]) => fieldOf(name, schema, configSchema.required ?? [])),
    limits: source.limits.map((limit) => ({ ...limit })),
    examples: source.examples.map((example) => ({ ...example })),
  };
}

function fieldOf(name: string, schema: SourceFieldSchema, required: readonly string[]): SourceField {
  return {
    name,
    type: schema['x-holds'] === 'path' ? 'reference' : (schema.type ?? 'any'),
    required: required.includes(name),
    description: schema.description ?? '',
    default: schema.default ?? null,
    enum_values: schema.enum ? [...schema.enum] : null,
  };
}
