import {
  permanent, type Effect, type FlowContext, type Outcome, type Reference, type StepCompiler, type StepInput, type StepTouches,
  type TouchInput,
} from '@sluice/flow-engine';
import type { ActionExample, ActionWords, DescribedAction, RunFacts } from './action-definition';
import { compileLimits, overLimit } from './action-limit';
import type { ActionName } from './action-names';
import { boundedSchema } from './bounded-schema';
import { compileFields } from './compile-fields';
import type { StepFieldsSchema } from './field-schema';
import type { AuthoredFields, ResolvedFields } from './field-types';
import { portLimiter } from './limited-ports';
import type { ActionPorts } from './action-ports';

/** Input of `run`: fields are resolved, `ports` is exactly what `uses` names. */
export interface RunInput<Resolved, Uses extends keyof ActionPorts> extends StepInput<Pick<ActionPorts, Uses>> {
  config: Resolved;
  /** The step as its author wrote it. */
  authored: CompiledFrom;
  /** The step's id, sent with its requests so that a repeat is recognized. */
  stepId: string;
  /** The references in its authored fields. */
  references: readonly Reference[];
}

/** A step of a config. */
type CompiledFrom = Parameters<StepCompiler<ActionPorts>['compile']>[0];

/** An action as one value: schema, words, checks, examples and run. Every other view derives from it. */
interface ActionDefinition<Schema extends StepFieldsSchema, Uses extends keyof ActionPorts> extends ActionWords, RunFacts<Uses> {
  /** The effect of a step, if it depends on the fields; default: `effect`. */
  effectOf?(step: Readonly<Record<string, unknown>>): Effect;
  examples: readonly ActionExample<AuthoredFields<Schema>>[];
  /** Which records a step touches; called only when its fields are known before the run. null: not decidable. */
  touches(input: TouchInput & { config: ResolvedFields<Schema> }): StepTouches | null;
  run(input: RunInput<ResolvedFields<Schema>, Uses>): Promise<Outcome>;
}

/** An action that the runner can run. */
export interface RunnableAction extends DescribedAction, RunFacts<keyof ActionPorts>, StepCompiler<ActionPorts> {
  examples: readonly ActionExample<Readonly<Record<string, unknown>>>[];
}

/**
 * Declares an action that runs. Called twice, because the compiler cannot infer the types of the fields and check `run` at once:
 * `defineAction(configSchema)({...})`.
 */
export function defineAction<Schema extends StepFieldsSchema>(configSchema: Schema) {
  return <const Name extends ActionName, Uses extends keyof ActionPorts = never>(
    definition: ActionDefinition<Schema, Uses> & { name: Name },
  ): RunnableAction & { name: Name } => {
    const { touches: _touches, run: _run, effectOf: _effectOf, ...facts } = definition;
    const bounded = boundedSchema(configSchema, definition.limits);
    return { ...facts, configSchema: bounded, compile: compiler<Schema, Uses>(configSchema, definition) };
  };
}

function compiler<Schema extends StepFieldsSchema, Uses extends keyof ActionPorts>(
  configSchema: Schema,
  definition: ActionDefinition<Schema, Uses>,
): StepCompiler<ActionPorts>['compile'] {
  const firstOver = compileLimits(definition.limits);
  const bound = definition.uses.some((port) => portsOfThePortal.has(port));
  const limited = portLimiter<Pick<ActionPorts, Uses>>(definition);
  return (step) => {
    const fields = compileFields(configSchema, step);
    // The types of the fields are derived from the same schema that resolves them, and the step was checked against it.
    const resolved = (ctx: FlowContext): ResolvedFields<Schema> => fields.resolve(ctx) as ResolvedFields<Schema>;
    const { references } = fields;
    return {
      effect: definition.effectOf?.(step) ?? definition.effect,
      repeat: definition.repeat,
      bound,
      run: ({ entities, ctx, ports, signal, before }) => {
        const config = resolved(ctx);
        const over = firstOver(config);
        if (over) return Promise.resolve(permanent('step_limit', overLimit(definition.name, over)));
        const allowed = limited(only(ports, definition.uses));
        const ran = { entities, ctx, signal, before, stepId: step.id, references, ports: allowed, config, authored: step };
        return definition.run(ran);
      },
      touches: ({ entities, ctx }) =>
        fields.isForeknown(ctx) ? definition.touches({ config: resolved(ctx), entities, ctx }) : null,
    };
  };
}

/** What a step does and finds through these depends on the portal that is bound. */
const portsOfThePortal: ReadonlySet<keyof ActionPorts> = new Set(['crm', 'files', 'identities']);

/** The ports that an action names, and no other. */
function only<Uses extends keyof ActionPorts>(ports: ActionPorts, uses: readonly Uses[]): Pick<ActionPorts, Uses> {
  const picked: Partial<Pick<ActionPorts, Uses>> = {};
  for (const name of uses) picked[name] = ports[name];
  return picked as Pick<ActionPorts, Uses>;
}
