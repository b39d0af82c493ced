import type { ConfigDocument, Entity, Flow, Step } from '@sluice/contracts';
import type { CrmRecords, PropertyValue } from '@sluice/ports';
import { compileFields, type FieldProblem } from './compile-fields';
import type { Effect, FlowContext, Outcome, StepCompiler, StepInput, StepTouches, TouchInput } from '@sluice/flow-engine';
import type { ActionName } from './action-names';
import type { StepFieldsSchema } from './field-schema';

/** What actions may ask of the outside. An action narrows it with `uses`. */
export interface ActionPorts {
  crm: CrmRecords;
}

/** A rule over the presence of fields: served by /api/config-surface and checked at save. */
export interface RequiredCheck {
  fields: readonly string[];
  message: string;
  /** all: every one is given; any: at least one; equals: the first is `equals`; requires: the first needs the others. */
  mode: 'all' | 'any' | 'equals' | 'requires';
  equals: string | null;
}

/** What a check sees: the step, and the document around it. */
export interface CheckInput<Config> {
  step: Step & Config;
  flow: Flow;
  config: ConfigDocument;
}

/** What the CRM holds before an example runs. */
export interface ExampleRecord {
  objectType: string;
  crm_id: string;
  properties: Record<string, PropertyValue>;
  mapped?: { entity: string; externalId: string };
}

/** A documented example; examples.test.ts runs every one on the twins. */
export interface ActionExample<Config> {
  title: string;
  config: Config;
  given: {
    entities: Entity[];
    payload: unknown;
    external_id?: string;
    outputs?: Record<string, unknown>;
    records?: ExampleRecord[];
  };
  expect: { kind: Outcome['kind']; output?: Record<string, unknown>; reason?: string; code?: string };
}

/** Input of `run`: fields are resolved, `ports` is exactly what `uses` names. */
export interface RunInput<Resolved, Uses extends keyof ActionPorts> extends Omit<StepInput<Pick<ActionPorts, Uses>>, 'ports'> {
  config: Resolved;
  ports: Pick<ActionPorts, Uses>;
}

/** An action as one value: schema, words, checks, examples and run (reference: every other view derives from it). */
export interface ActionDefinition<Config, Resolved, Uses extends keyof ActionPorts> {
  name: ActionName;
  title: string;
  description: string;
  category: 'crm' | 'external' | 'logic' | 'data' | 'files';
  min_version: '3.0' | '3.1';
  effect: Effect;
  /** Ports it receives. */
  uses: readonly Uses[];
  /** What happens when it runs again over the same event: delivery is at least once. */
  on_repeat: string;
  configSchema: StepFieldsSchema;
  required_checks: readonly RequiredCheck[];
  limits: readonly { id: string; text: string }[];
  checks: readonly ((input: CheckInput<Config>) => FieldProblem[])[];
  examples: readonly ActionExample<Config>[];
  /** Which records a step touches, asked only when its fields are foreknown; null when it is not decidable. */
  touches(input: TouchInput & { config: Resolved }): StepTouches | null;
  run(input: RunInput<Resolved, Uses>): Promise<Outcome>;
}

/** An action as the registry holds it. */
export interface Action
  extends
    Omit<ActionDefinition<never, never, never>, 'checks' | 'examples' | 'touches' | 'run' | 'uses'>,
    StepCompiler<ActionPorts> {
  uses: readonly (keyof ActionPorts)[];
  checks: readonly ((input: CheckInput<Record<string, unknown>>) => FieldProblem[])[];
  examples: readonly ActionExample<Record<string, unknown>>[];
}

/**
 * Declares an action. Called twice because the compiler cannot infer the authored and the resolved type and
 * check `run` at once: `defineAction<Config, Resolved>()({...})`.
 */
export function defineAction<Config, Resolved>() {
  return <const Name extends ActionName, Uses extends keyof ActionPorts = never>(
    definition: ActionDefinition<Config, Resolved, Uses> & { name: Name },
  ): Action & { name: Name } => ({ ...(definition as unknown as Action & { name: Name }), compile: compiler(definition) });
}

function compiler<Config, Resolved, Uses extends keyof ActionPorts>(
  definition: ActionDefinition<Config, Resolved, Uses>,
): StepCompiler<ActionPorts>['compile'] {
  return (step) => {
    const fields = compileFields(definition.configSchema, step);
    const resolved = (ctx: FlowContext): Resolved => fields.resolve(ctx) as Resolved;
    return {
      effect: definition.effect,
      run: (input) => definition.run({ ...input, config: resolved(input.ctx) }),
      touches: ({ entities, ctx }) =>
        fields.isForeknown(ctx) ? definition.touches({ config: resolved(ctx), entities, ctx }) : null,
    };
  };
}
