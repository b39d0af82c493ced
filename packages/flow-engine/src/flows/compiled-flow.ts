import type { Flow, Step } from '@sluice/contracts/config-document';
import { entityTypeOf } from '@sluice/contracts/entity-event-type';
import type { EntityLookup } from './compiled-entity';
import { eventContext, type EventFacts, type FlowContext } from '../flow-context';
import { permanent, type Outcome, type StepItem, type StepOutput } from './outcome';
import { readsEventOnly, type Reference } from '../expressions/reference';
import { type StepSignature, stepSignature } from './step-signature';
import { compileWhen, type Condition } from '../expressions/when';
import { ExpressionLimitError } from '../work-budget';

/** The outside effect of a step: decides whether a flow has written, and which its main writes are. */
export type Effect = 'write' | 'associate' | 'read' | 'control';

/**
 * Keys of records; two keys are equal if they may be the same CRM record: `entity:external_id` and `object type#identity value`.
 */
export interface Touches {
  writes: string[];
  reads: string[];
}

/** The part of an AbortSignal that a pure package may use. */
export interface CancelSignal {
  readonly aborted: boolean;
}

/** The records that one step touches, and the part of its output that is known before it runs. */
export interface StepTouches extends Touches {
  output?: StepOutput;
}

/** Input of `touches` of a step: `ctx.outputs` has the known outputs of earlier steps. */
export interface TouchInput {
  entities: EntityLookup;
  ctx: FlowContext;
}

/** Input of a step's run. `Ports` are the ports that the actions use. */
export interface StepInput<Ports> {
  entities: EntityLookup;
  ctx: FlowContext;
  ports: Ports;
  signal: CancelSignal;
  /** What earlier attempts of the event left of the step. */
  before?: StepBefore | undefined;
}

/** What earlier attempts of an event left of a step that runs again. */
export interface StepBefore {
  /** Items of a bulk step that ended: they are not tried again. */
  items: readonly StepItem[];
  /** The output of the part that took effect before the step failed; null: it ended, or nothing is known to have taken effect. */
  landed: StepOutput | null;
  /** When the first attempt began whose write got no answer and may have taken effect, ms since the epoch; null: none. */
  unansweredSince: number | null;
}

/**
 * What a repeated attempt does with a step that ended in an earlier one, once something may have taken effect outside:
 * - anew: it runs again, and its output is the new one.
 * - again: it runs again, because delivery is at least once; later steps see its first output.
 * - kept: it does not run again; later steps see its first output.
 */
export type Repeat = 'anew' | 'again' | 'kept';

/** An action's part of a compiled step. */
export interface StepProgram<Ports> {
  effect: Effect;
  /** Default: anew. */
  repeat?: Repeat;
  /** Whether what it does and finds depends on the portal. Default: no. */
  bound?: boolean;
  /** May throw at once as well: whoever runs a step meets both. */
  run(input: StepInput<Ports>): Promise<Outcome>;
  /** null: it depends on more than the event. */
  touches(input: TouchInput): StepTouches | null;
}

/** The engine's view of an action: it only compiles a step of it. */
export interface StepCompiler<Ports> {
  compile(step: Step, entities: EntityLookup): StepProgram<Ports>;
}

export type ActionLookup<Ports> = (name: string) => StepCompiler<Ports> | undefined;

export interface CompiledStep<Ports = unknown> extends StepProgram<Ports> {
  id: string;
  action: string;
  when: Condition;
  signature: StepSignature;
}

export interface CompiledFlow<Ports = unknown> {
  name: string;
  /** The flow as authored: its switches (suppress_echo, freshness_check, ...) are read from here. */
  flow: Flow;
  entities: EntityLookup;
  steps: CompiledStep<Ports>[];
  /** The context of an event before the first step. */
  contextOf(event: FlowEvent): FlowContext;
}

/** The fields of an event that a flow needs; an envelope with its payload has them. */
export interface FlowEvent extends Omit<EventFacts, 'own_entity' | 'flow_name' | 'outbound'> {
  source_type: string;
}

/** Compiles a flow of a checked config. Throws for errors that checkConfig would have reported. */
export function compileFlow<Ports>(
  flow: Flow,
  parts: { entities: EntityLookup; actions: ActionLookup<Ports> },
): CompiledFlow<Ports> {
  const steps = flow.steps.map((step) => compileStep(step, parts));
  const ownEntity = ownEntityOf(flow, parts.entities);
  const outboundRules = flow.freshness_check === false ? null : { narrow: flow.narrow_outbound_projection === true };
  const contextOf = (event: FlowEvent): FlowContext => {
    const isEntry = event.source_type === 'event_api' && typeof event.external_id === 'string';
    // Called for every event and attempt: a copy of a small event would cost more than all values computed from it.
    const ctx = eventContext(event);
    ctx.flow_name = flow.name;
    ctx.own_entity = isEntry ? ownEntity(event.event_type) : null;
    ctx.outbound = event.source_type === 'crm' ? outboundRules : null;
    return ctx;
  };
  return { name: flow.name, flow, entities: parts.entities, steps, contextOf };
}

function compileStep<Ports>(step: Step, parts: { entities: EntityLookup; actions: ActionLookup<Ports> }): CompiledStep<Ports> {
  const action = parts.actions(step.action);
  if (!action) throw new Error(`step '${step.id}': action '${step.action}' cannot run`);
  const when: Condition = step.when === undefined ? () => true : compileWhen(step.when);
  const program = action.compile(step, parts.entities);
  const signature = stepSignature(step, parts.entities);
  return { id: step.id, action: step.action, when, signature, ...program, run: withinLimits(step.id, program) };
}

/** A step whose expressions exceed the event's limits fails permanently, because another attempt would too. */
function withinLimits<Ports>(stepId: string, program: StepProgram<Ports>): StepProgram<Ports>['run'] {
  const overLimit = (error: unknown): Outcome => {
    if (error instanceof ExpressionLimitError) return expressionLimit(stepId, error);
    throw error;
  };
  return (input) => {
    try {
      return program.run(input).catch(overLimit);
    } catch (error) {
      return Promise.resolve(overLimit(error));
    }
  };
}

/** The failure of a step that exceeded a limit of the work budget. */
export function expressionLimit(stepId: string, error: ExpressionLimitError): Outcome {
  return permanent('expression_limit', `step '${stepId}' asks for ${error.message}`);
}

/**
 * The entity an `entities` entry is a record of: the one of the flow that carries the entry's type as its name,
 * else the entity of the first step that names one.
 */
function ownEntityOf(flow: Flow, entities: EntityLookup): (eventType: string) => string | null {
  const named = flow.steps
    .map((step) => step.entity)
    .filter((name): name is string => typeof name === 'string' && entities.has(name));
  return (eventType) => {
    const type = entityTypeOf(eventType);
    return named.includes(type) ? type : (named[0] ?? null);
  };
}

/**
 * The records that an event touches if every step of the flow runs; null when that depends on more than the event. Consecutive
 * events of one lane that touch different records may share a CRM batch (docs/guarantees.md, Delivered).
 */
export function touches(flow: CompiledFlow<never> | CompiledFlow<unknown>, ctx: FlowContext): Touches | null {
  try {
    return touchesOfSteps(flow, ctx);
  } catch (error) {
    // The attempt reports the error.
    if (error instanceof ExpressionLimitError) return null;
    throw error;
  }
}

function touchesOfSteps(flow: CompiledFlow<never> | CompiledFlow<unknown>, ctx: FlowContext): Touches | null {
  const writes = new Set<string>();
  const reads = new Set<string>();
  let known = ctx;
  for (const step of flow.steps) {
    const touched = step.touches({ entities: flow.entities, ctx: known });
    if (touched === null) return null;
    touched.writes.forEach((key) => writes.add(key));
    touched.reads.forEach((key) => reads.add(key));
    if (touched.output) known = { ...known, outputs: { [step.id]: touched.output, ...known.outputs } };
  }
  return { writes: [...writes], reads: [...reads] };
}

/** Whether a reference can be resolved before the flow runs: from the event, or from the known output of an earlier step. */
export function isForeknown(reference: Reference, ctx: FlowContext): boolean {
  if (reference.stepId === null) return reference.readsItem || readsEventOnly(reference);
  const output = Object.hasOwn(ctx.outputs, reference.stepId) ? ctx.outputs[reference.stepId] : null;
  return (
    output !== null && typeof output === 'object' && reference.stepField !== null && Object.hasOwn(output, reference.stepField)
  );
}
