import type { ConfigProblemType, SourceType } from '@sluice/contracts';
import type { SourceConfigSchema } from './field-schema';
import type { SourceRuntime } from './source-runtime';
import type { CheckedSource } from './checked-source';

/** A problem of a source. `path` leads from its `config` to the field. */
export interface SourceProblem {
  code: ConfigProblemType;
  path: readonly (string | number)[];
  message: string;
  /** The given value; absent if it must not be repeated. */
  input?: unknown;
}

export interface SourceExample {
  title: string;
  config: Readonly<Record<string, unknown>>;
}

/**
 * A type of event source as one value: schema, descriptions, checks, examples and how it is served. Everything else derives from
 * it.
 */
export interface SourceDefinition<Config = Record<string, unknown>> {
  type: SourceType;
  title: string;
  description: string;
  /** An external system calls Sluice; otherwise a service polls. */
  push: boolean;
  /** Whether it is for data on its way into the CRM or out of it. */
  direction: 'inbound' | 'outbound';
  /** How it is served; absent: no service serves it yet, and a publish warns about such a source. */
  runtime?: SourceRuntime<Config>;
  /**
   * Events without a type of their own are named `<source>.<this>`; null when events always have a type, or there are no events.
   */
  defaultEventType: string | null;
  configSchema: SourceConfigSchema;
  limits: readonly { id: string; text: string }[];
  /** Rules beyond the schema and the content of single fields. */
  checks: readonly ((source: CheckedSource<Config>) => SourceProblem[])[];
  /** Documented, shown by the catalogue, and run through the schema and the checks. */
  examples: readonly SourceExample[];
}

/** Whether a service reads it, receives calls for it or sends to it. */
export const isServed = ({ runtime }: AnySource): boolean => runtime !== undefined;

/** A type as the registry holds it. */
export type AnySource = SourceDefinition<never>;

/**
 * Declares a type of source. Called twice so that the type of its config, inferred from the schema, can be given and its name
 * kept: `defineSource<Config>()({...})`.
 */
export function defineSource<Config>() {
  return <const Type extends SourceType>(definition: SourceDefinition<Config> & { type: Type }) => definition;
}
