import type { FlowContext } from '../flow-context';
import { percentEncode } from './percent-encode';
import { compileReference, isReference, type Reference } from './reference';
import type { WorkBudget } from '../work-budget';

/** An authored value with its references compiled. */
export interface Template {
  /** The resolved value; a reference to nothing gives null. Throws ExpressionLimitError. */
  resolve(ctx: FlowContext): unknown;
  /** All references inside, for checks and to decide whether the value depends on the event only. */
  references: Reference[];
}

export interface TemplateOptions {
  /** Percent-encode the values of references, as in a `url`. */
  url?: boolean;
}

type Resolve = (ctx: FlowContext) => unknown;

const placeholder = /\{(\$[^{}]*)\}/g;

/**
 * Compiles authored objects and strings: a string that is exactly a reference keeps the value's type, `{$...}`
 * inside a longer string becomes its text. Throws ExpressionError.
 */
export function compileTemplate(value: unknown, options: TemplateOptions = {}): Template {
  const references: Reference[] = [];
  return { resolve: compileValue(value, options, references), references };
}

/** The text of a value inside a longer string: nothing for null, JSON for objects and lists. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `textOf` for a value of any size: its length counts before the text is made. Throws ExpressionLimitError. */
export function boundedText(value: unknown, budget: WorkBudget): string {
  if (value !== null && typeof value === 'object') budget.produce(budget.weigh(value));
  else if (typeof value === 'string') budget.produce(value.length);
  return textOf(value);
}

function compileValue(value: unknown, options: TemplateOptions, references: Reference[]): Resolve {
  if (typeof value === 'string') return compileString(value, options, references);
  if (Array.isArray(value)) {
    const items = value.map((item) => compileValue(item, options, references));
    return (ctx) => items.map((resolve) => resolve(ctx));
  }
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([key, inner]) => [key, compileValue(inner, options, references)] as const);
    return (ctx) => Object.fromEntries(fields.map(([key, resolve]) => [key, resolve(ctx)]));
  }
  return () => value;
}

function compileString(text: string, options: TemplateOptions, references: Reference[]): Resolve {
  const encode = (value: unknown, ctx: FlowContext): string => {
    const plain = boundedText(value, ctx.budget);
    return options.url ? percentEncode(plain) : plain;
  };
  if (isReference(text)) {
    const reference = collect(text, references);
    return options.url ? (ctx) => encode(reference.first(ctx), ctx) : (ctx) => reference.first(ctx) ?? null;
  }
  const parts = splitPlaceholders(text).map((part) => {
    if (part.literal) return () => part.text;
    const reference = collect(part.text, references);
    return (ctx: FlowContext) => encode(reference.first(ctx), ctx);
  });
  if (parts.length === 0 || !text.includes('{$')) return () => text;
  return (ctx) => parts.map((part) => part(ctx)).join('');
}

function collect(text: string, references: Reference[]): Reference {
  const reference = compileReference(text);
  references.push(reference);
  return reference;
}

function splitPlaceholders(text: string): { literal: boolean; text: string }[] {
  const parts: { literal: boolean; text: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > end) parts.push({ literal: true, text: text.slice(end, match.index) });
    parts.push({ literal: false, text: match[1]! });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ literal: true, text: text.slice(end) });
  return parts;
}
