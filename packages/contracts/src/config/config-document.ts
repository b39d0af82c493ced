import type { IngressProfile } from './ingress-profile';
import type { SourceType } from './source-type';

/**
 * The config document (version 3): the body of a draft and of every published version (docs/reference/config-document.md).
 * These are plain shapes; the JSON Schema and the rules are in config-model.
 */

/**
 * Bytes of a config document as JSON: 1 MiB. Counted in the request's body and in the document, so every 413 names this limit.
 */
export const configDocumentBytes = 1_048_576;

/** A string starting with `$`, for example `$.payload.email` or `$find_customer.crm_id`. */
export type ReferenceText = string;

/** Exactly one key. A step whose `when` is false is skipped. */
export type When =
  | { exists: ReferenceText }
  | { found: string }
  | { equals: { path: ReferenceText; value: unknown } }
  | { gt: { path: ReferenceText; value: unknown } }
  | { lt: { path: ReferenceText; value: unknown } }
  | { in: { path: ReferenceText; values: unknown[] } }
  | { not: When }
  | { all: When[] };

/** A builtin by its name, or a parametric one with its arguments. */
export type Transform = string | { name: string; args?: Record<string, unknown> };

export interface CrmOption {
  value: string;
  label?: string;
}

/** How one value of the event becomes one property. Exactly one of `target` and `target_template`. */
export interface FieldMapping {
  source: ReferenceText;
  /** Property name; one that starts with `$` is canonical-side and never provisioned. */
  target?: string;
  /** Property name with references, for example `price_{$.payload.currency}`. */
  target_template?: string;
  /** The names a template can give, to be provisioned. */
  provision_names?: string[];
  transform?: Transform[];
  /** Default `string`. */
  crm_type?: string;
  /** Default `text`. */
  crm_field_type?: string;
  crm_label?: string;
  /** Required for an enumeration. */
  crm_options?: CrmOption[];
}

export interface IdentityGuard {
  properties: string[];
  /** An existing record on which more of them would change is quarantined. */
  max_changed: number;
}

export interface IdentitySpec {
  /** A label only, for example `match_or_create`. */
  strategy?: string;
  property: string;
  guard?: IdentityGuard;
}

export interface SchemaSpec {
  /** Needed by the `crm` schema only. */
  object_type?: string;
  identity?: IdentitySpec;
  identity_source_path?: ReferenceText;
  property_group?: string;
  field_mappings?: FieldMapping[];
}

export interface Entity {
  name: string;
  schemas: Record<string, SchemaSpec>;
  /** Becomes `$.payload` inside this entity. */
  payload_root?: ReferenceText;
  /** Default `skip`. */
  on_target_deleted?: 'skip' | 'recreate';
}

/** Open: every action reads its own fields, unknown ones are kept and ignored. */
export interface Step {
  id: string;
  action: string;
  when?: When;
  [field: string]: unknown;
}

/** Open like a step. `enabled` and `freshness_check` are true by default, the other switches false. */
export interface Flow {
  name: string;
  source: string;
  event_type: string;
  event_type_from?: string | null;
  enabled?: boolean;
  suppress_echo?: boolean;
  freshness_check?: boolean;
  narrow_outbound_projection?: boolean;
  steps: Step[];
  [field: string]: unknown;
}

export interface Source {
  name: string;
  type: SourceType;
  config?: Record<string, unknown>;
}

export const conflictStrategies = ['source_wins', 'target_wins', 'most_recent'] as const;
export type ConflictStrategy = (typeof conflictStrategies)[number];

export interface ConflictPolicy {
  strategy?: ConflictStrategy;
  source_modified_path?: ReferenceText;
  per_property_freshness?: boolean;
}

export interface Conflicts extends ConflictPolicy {
  entities?: Record<string, ConflictPolicy>;
}

export interface PipelineStage {
  label: string;
  probability?: number;
  closed?: boolean;
}

export interface Pipeline {
  object_type: string;
  label: string;
  stages: PipelineStage[];
}

export type ConfigVersion = '3.0' | '3.1';

export interface ConfigDocument {
  version: ConfigVersion;
  entities: Entity[];
  flows: Flow[];
  sources: Source[];
  settings?: Record<string, unknown>;
  conflicts?: Conflicts;
  pipelines?: Pipeline[];
  ingress_profile?: IngressProfile;
}
