import type { FieldMapping } from '@sluice/contracts/config-document';
import { canonicalPath } from '../expressions/canonical-path';
import { ExpressionError } from '../expressions/expression-error';
import type { FlowContext } from '../flow-context';
import { builtOnce, compileReference, type Reference } from '../expressions/reference';
import { compileTemplate } from '../expressions/template';
import { compileTransforms } from '../transforms/compile-transforms';
import { ExpressionLimitError } from '../work-budget';

/** Why a mapping gives no value; `expression_limit`: it exceeded a limit of the event. */
export interface MappingFailure {
  ok: false;
  code: 'mapping_failed' | 'expression_limit';
  message: string;
}

/** A mapping's value: undefined when the source resolves to nothing, null to clear the property. */
export type MappedValue = { ok: true; value: unknown } | MappingFailure;

export interface CompiledMapping {
  /** How errors name it: the target or target template. */
  label: string;
  /** The static target; null for a `target_template`. */
  target: string | null;
  /** The path of a static target in the canonical form; null for a property, and for a `target_template`. */
  canonicalPath: readonly string[] | null;
  references: Reference[];
  name(ctx: FlowContext): { ok: true; value: string } | MappingFailure;
  value(ctx: FlowContext): MappedValue;
}

/**
 * Compiles one field mapping. Throws ExpressionError naming the mapping.
 * @param keeps its value is used more than once: it is kept if it depends on the event only
 */
export function compileMapping(mapping: FieldMapping, keeps = false): CompiledMapping {
  const label = mapping.target ?? mapping.target_template ?? '?';
  const source = compileReference(mapping.source);
  const chain = compileTransforms(mapping.transform ?? [], { multiple: source.multiple });
  const name = compileName(mapping, label);
  const takesAll = source.multiple && chain.takesList;
  const references = [source, ...chain.references];
  const evaluate = (ctx: FlowContext): MappedValue => {
    const result = chain.apply(takesAll ? allOrNothing(source.all(ctx)) : source.first(ctx), ctx);
    if (result.ok) return result;
    return {
      ok: false,
      code: 'mapping_failed',
      message: `mapping '${label}': transform '${result.transform}' cannot handle ${result.type}: ${result.reason}`,
    };
  };
  const valueOf = keeps ? builtOnce(references, evaluate) : evaluate;
  return {
    label,
    target: mapping.target ?? null,
    canonicalPath: mapping.target === undefined ? null : canonicalPath(mapping.target),
    references: [...references, ...name.references],
    name: name.of,
    value: (ctx) => {
      try {
        return valueOf(ctx);
      } catch (error) {
        return overLimit(label, error);
      }
    },
  };
}

/** A bound that is passed becomes a failure which names the mapping. */
function overLimit(label: string, error: unknown): MappingFailure {
  if (!(error instanceof ExpressionLimitError)) throw error;
  return { ok: false, code: 'expression_limit', message: `mapping '${label}' asks for ${error.message}` };
}

function allOrNothing(matches: unknown[]): unknown {
  return matches.length === 0 ? undefined : matches;
}

function compileName(mapping: FieldMapping, label: string): { of: CompiledMapping['name']; references: Reference[] } {
  if (mapping.target !== undefined) {
    const target = { ok: true as const, value: mapping.target };
    return { of: () => target, references: [] };
  }
  if (mapping.target_template === undefined)
    throw new ExpressionError('reference', `a field mapping needs 'target' or 'target_template'`);
  const template = compileTemplate(mapping.target_template);
  const of: CompiledMapping['name'] = (ctx) => {
    try {
      return { ok: true, value: String(template.resolve(ctx) ?? '') };
    } catch (error) {
      return overLimit(label, error);
    }
  };
  return { of, references: template.references };
}
