import type { Transform } from '@sluice/contracts/config-document';
import { ExpressionError } from '../expressions/expression-error';
import type { FlowContext } from '../flow-context';
import type { Reference } from '../expressions/reference';
import type { WorkBudget } from '../work-budget';
import { checkTransformArgs } from './check-transform-args';
import type { BoundTransform, TransformDefinition, TransformResult } from './transform';
import { typeName } from './transform';
import { findTransform } from './transform-catalogue';

/** The chain's answer: on failure the transform and the type of the value it could not handle. */
export type ChainResult = { ok: true; value: unknown } | { ok: false; transform: string; type: string; reason: string };

export interface TransformChain {
  /** Some transform takes a list: a wildcard source gives all its matches. */
  takesList: boolean;
  references: Reference[];
  /** undefined (the source resolves to nothing) and null pass through all transforms but `default` and `coalesce`. */
  apply(value: unknown, ctx: FlowContext): ChainResult;
}

interface Link {
  definition: TransformDefinition;
  bound: BoundTransform;
  /** Before the first list transform, the matches of a wildcard are transformed one by one. */
  perElement: boolean;
}

/** Compiles a mapping's transforms. `multiple`: its source is a wildcard. Throws ExpressionError. */
export function compileTransforms(transforms: readonly Transform[], source: { multiple: boolean }): TransformChain {
  const definitions = transforms.map(resolve);
  const firstList = definitions.findIndex(({ definition }) => definition.takesList === true);
  const links = definitions.map(({ definition, bound }, index): Link => ({
    definition,
    bound,
    perElement: source.multiple && index < firstList,
  }));
  return {
    takesList: firstList !== -1,
    references: links.flatMap(({ bound }) => bound.references ?? []),
    apply: (value, ctx) => applyAll(links, value, ctx),
  };
}

function applyAll(links: Link[], start: unknown, ctx: FlowContext): ChainResult {
  let value = start;
  for (const link of links) {
    if ((value === null || value === undefined) && !link.definition.fills) continue;
    const result = link.perElement && Array.isArray(value) ? applyEach(link, value, ctx) : named(link, value, ctx);
    if (!result.ok) return result;
    value = result.value;
  }
  return { ok: true, value };
}

function applyEach(link: Link, values: unknown[], ctx: FlowContext): ChainResult {
  const results: unknown[] = [];
  for (const value of values) {
    const result = value === null && !link.definition.fills ? ({ ok: true, value } as const) : named(link, value, ctx);
    if (!result.ok) return result;
    results.push(result.value);
  }
  return { ok: true, value: results };
}

function named(link: Link, value: unknown, ctx: FlowContext): ChainResult {
  chargeInput(link.definition, value, ctx.budget);
  const result: TransformResult = link.bound.apply(value, ctx);
  if (result.ok) chargeOutput(result.value, value, ctx.budget);
  return result.ok ? result : { ok: false, transform: link.definition.name, type: typeName(value), reason: result.reason };
}

/** Checked before the work: a transform that may lengthen its text refuses one that is already over the limit. */
function chargeInput({ shortens, readsDeep }: TransformDefinition, value: unknown, budget: WorkBudget): void {
  if (typeof value === 'string') {
    budget.read(value);
    if (!shortens) budget.checkLength(value.length);
  } else if (readsDeep) budget.checkLength(budget.weigh(value));
  else budget.work(Array.isArray(value) ? value.length + 1 : 1);
}

function chargeOutput(result: unknown, input: unknown, budget: WorkBudget): void {
  if (typeof result === 'string') budget.produce(result.length, typeof input === 'string' ? input.length : 0);
  else if (Array.isArray(result)) budget.elements(result.length);
}

function resolve(transform: Transform): { definition: TransformDefinition; bound: BoundTransform } {
  // Drafts are compiled to be checked, so the value may have any type.
  const authored: { name?: unknown; args?: Record<string, unknown> } =
    typeof transform === 'string' ? { name: transform } : transform !== null && typeof transform === 'object' ? transform : {};
  const { name } = authored;
  const args = authored.args ?? {};
  if (typeof name !== 'string')
    throw new ExpressionError('transform', `a transform is a name, or an object with 'name' and 'args'`);
  const definition = findTransform(name);
  if (!definition) throw new ExpressionError('transform', `'${name}' is not a transform`);
  const problem = checkTransformArgs(definition, args);
  if (problem !== null) throw new ExpressionError('transform', `transform '${name}': ${problem}`);
  return { definition, bound: bind(definition, args) };
}

function bind(definition: TransformDefinition, args: Record<string, unknown>): BoundTransform {
  try {
    return definition.bind(args);
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new ExpressionError(error.code, `transform '${definition.name}': ${error.message}`);
    throw error;
  }
}
