import type { ConfigDocument, ConfigProblemType, Entity, Flow, Step } from '@sluice/contracts';
import type { PropertyValue } from '@sluice/ports';
import type { Effect, Outcome, Repeat } from '@sluice/flow-engine';
import type { ActionLimit } from './action-limit';
import type { ActionName } from './action-names';
import type { FieldProblem } from './compile-fields';
import type { BoundedFieldsSchema } from './field-schema';

/** A rule over fields: served by /api/config-surface and checked at save. */
export interface RequiredCheck {
  /** Fields of the step; `plugin.logical_name` lies in an object, `associations[].to_entity` in each element of a list. */
  fields: readonly string[];
  message: string;
  mode: CheckMode;
  /** What the first field is compared with, for the modes that say so; else null. */
  equals: string | null;
  /**
   * Of a problem with a type of its own, which is reported at the first field. Default: `missing`, or `value_error` where a field
   * is given, at each field that is wrong.
   */
  type?: ConfigProblemType;
}

/** How a check reads its fields. A field is given when it is none of absent, null, false and the empty text. */
export type CheckMode =
  /** Every field is given. */
  | 'all'
  /** At least one is given. */
  | 'any'
  /** At most one is given. */
  | 'at_most_one'
  /** The first is `equals`. */
  | 'equals'
  /** The first, where it is given, is `equals`. */
  | 'equals_if_given'
  /** The first is not `equals`. */
  | 'not_equals'
  /** Where the first is given, so are the others. */
  | 'requires'
  /** Where the first is given and not `equals`, the others are given. */
  | 'requires_unless'
  /** What `message` says: a rule that the presence of fields does not express. */
  | 'rule';

/** Input of a check: the step, whose fields may have any type, and the document around it. */
export interface CheckInput {
  step: Step;
  flow: Flow;
  config: ConfigDocument;
}

export type StepCheck = (input: CheckInput) => FieldProblem[];

/** A rule that a mode of RequiredCheck cannot express: the catalogue shows fields and message, with the mode `rule`. */
export interface StepRule {
  fields: readonly string[];
  message: string;
  find: StepCheck;
}

/** The contents of the CRM before an example runs. */
export interface ExampleRecord {
  objectType: string;
  crm_id: string;
  properties: Record<string, PropertyValue>;
  mapped?: { entity: string; externalId: string };
}

/** A documented example of a step. */
export interface StepExample<Config> {
  title: string;
  config: Config;
  given: {
    entities: Entity[];
    payload: unknown;
    external_id?: string;
    outputs?: Record<string, unknown>;
    records?: ExampleRecord[];
    /** Associations of them, by CRM ids. */
    links?: [from: string, to: string][];
    /** Names of files that notes of them carry, by CRM id. */
    attachments?: Record<string, string[]>;
    /** What destinations answer, in the order of the calls; default: 200 without a body. */
    answers?: { status: number; body?: unknown; headers?: Record<string, string> }[];
    /** What plugins return, in the order of the calls. */
    returns?: unknown[];
  };
}

/** An example of an action that runs: examples.test.ts runs every one on the CRM writer over the CRM simulator. */
export interface ActionExample<Config> extends StepExample<Config> {
  expect: { kind: Outcome['kind']; output?: Record<string, unknown>; reason?: string; code?: string };
  /** What the destinations were sent. */
  requests?: Record<string, unknown>[];
}

/** The descriptions and rules of an action, for authors, editors and checks. */
export interface ActionWords {
  name: ActionName;
  title: string;
  description: string;
  category: 'crm' | 'external' | 'logic' | 'data' | 'files';
  min_version: '3.0' | '3.1';
  required_checks: readonly RequiredCheck[];
  /** Enforced as they are declared: at save by the schema and `checkStep`, at the attempt around `run`. */
  limits: readonly ActionLimit[];
  /** Checked at save, beside the schema and `required_checks`. */
  rules: readonly StepRule[];
}

/** An action that configs may use in a draft. A publish needs a RunnableAction. */
export interface DescribedAction extends ActionWords {
  /** With the maxima that `limits` declares. */
  configSchema: BoundedFieldsSchema;
  examples: readonly StepExample<Readonly<Record<string, unknown>>>[];
}

/** The facts of an action that runs, beside its descriptions. */
export interface RunFacts<Uses> {
  effect: Effect;
  /** Ports it receives. */
  uses: readonly Uses[];
  /** What happens when it runs again over the same event: delivery is at least once. */
  on_repeat: string;
  /** What a repeated attempt does with a step that ended before. */
  repeat: Repeat;
}
