import { ExpressionError } from './expression-error';
import type { FlowContext } from '../flow-context';
import { compilePath, parsePath, type JsonPath } from './json-path';

/** A compiled reference (docs/reference/config-document.md, References). */
export interface Reference {
  text: string;
  /** Whether it can give more than one match. */
  multiple: boolean;
  /** The step whose output it reads, else null. */
  stepId: string | null;
  /** The first member below the step's output, for example `external_id`; null when it is not a plain one. */
  stepField: string | null;
  /** True for `$._item...`. */
  readsItem: boolean;
  /** The root after `$.`, for example `payload`; null when it reads a step. */
  root: string | null;
  /** The first match; undefined when it resolves to nothing. This and the next two throw ExpressionLimitError. */
  first(ctx: FlowContext): unknown;
  /** Every match; one list that is the only match of a plain path stays one match. */
  all(ctx: FlowContext): unknown[];
  /** As a list: the matches, or the elements of the one list a plain path leads to. */
  list(ctx: FlowContext): unknown[];
}

const roots: Record<string, (ctx: FlowContext) => unknown> = {
  payload: (ctx) => ctx.payload,
  event_type: (ctx) => ctx.event_type,
  external_id: (ctx) => ctx.external_id,
  timestamp: (ctx) => ctx.timestamp,
  store_id: (ctx) => ctx.store_id,
  canonical: (ctx) => ctx.canonical,
  connector_id: (ctx) => ctx.connector_id,
  _item: (ctx) => ctx.item,
};

/** Names that follow `$.`. */
const referenceRoots = Object.keys(roots);

const looksLikeReference = /^\$([A-Za-z_][\w-]*)?[.[]/;
const stepReference = /^\$([A-Za-z_][\w-]*)([.[].*)$/s;

/** Whether a string is meant as a reference: `$.`, `$[` or `$<step id>.` in front ("$100" is plain text). */
export function isReference(text: string): boolean {
  return looksLikeReference.test(text);
}

/** Compiles a reference. Throws ExpressionError for a text that is no reference, and for scripts and filters. */
export function compileReference(text: string): Reference {
  if (!isReference(text))
    throw new ExpressionError('reference', `'${text}' is not a reference: it must start with '$.' or '$<step id>.'`);
  const step = stepReference.exec(text);
  return step ? compileStepReference(text, step[1]!, step[2]!) : compileRootReference(text);
}

function compileStepReference(text: string, stepId: string, rest: string): Reference {
  const components = parsePath(`$${rest}`);
  const [head] = components;
  const plain = head !== undefined && head.scope === 'child' && ['identifier', 'string_literal'].includes(head.expression.type);
  const stepField = plain ? String(head.expression.value) : null;
  const path = compilePath(components);
  const output = (ctx: FlowContext): unknown => (Object.hasOwn(ctx.outputs, stepId) ? ctx.outputs[stepId] : undefined);
  return reference({ text, stepId, stepField, root: null }, path, output);
}

function compileRootReference(text: string): Reference {
  const [head, ...rest] = parsePath(text);
  const root = String(head?.expression.value ?? '');
  const read = head?.scope === 'descendant' ? undefined : roots[root];
  if (!read || !Object.hasOwn(roots, root)) {
    throw new ExpressionError(
      'reference',
      `'${text}': '${root}' is none of ${referenceRoots.map((name) => `$.${name}`).join(', ')}`,
    );
  }
  return reference({ text, stepId: null, stepField: null, root }, compilePath(rest), read);
}

function reference(
  facts: Pick<Reference, 'text' | 'stepId' | 'stepField' | 'root'>,
  path: JsonPath,
  read: (ctx: FlowContext) => unknown,
): Reference {
  const present = (ctx: FlowContext): unknown => {
    const value = read(ctx);
    // A field of the envelope that the event does not have is null: it counts as nothing, not as an explicit null.
    return value === null && facts.root !== 'payload' && facts.root !== '_item' ? undefined : value;
  };
  const all = (ctx: FlowContext): unknown[] => {
    const value = present(ctx);
    return value === undefined ? [] : path.all(value, ctx.budget);
  };
  const first = (ctx: FlowContext): unknown => {
    const value = present(ctx);
    return value === undefined ? undefined : path.first(value, ctx.budget);
  };
  const list = (ctx: FlowContext): unknown[] => {
    if (path.multiple) return all(ctx);
    const value = first(ctx);
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : [value];
  };
  return { ...facts, multiple: path.multiple, readsItem: facts.root === '_item', first, all, list };
}

/** Whether the value of a reference depends on the event only. */
export function readsEventOnly(reference: Reference): boolean {
  return reference.stepId === null && reference.root !== 'canonical' && !reference.readsItem;
}

/** Keeps the value computed from these references if it depends on the event only. Items of a list have their own values. */
export function builtOnce<V>(references: readonly Reference[], build: (ctx: FlowContext) => V): (ctx: FlowContext) => V {
  if (!references.every(readsEventOnly)) return build;
  const key = {};
  return (ctx) => (ctx.item === undefined ? ctx.built.get(key, ctx, build) : build(ctx));
}
