import { ExpressionError } from './expression-error';
import { compilePath, parsePath } from './json-path';
import { WorkBudget } from '../work-budget';

/** A path into a received document: a request body, a page, a row. `$` is the document. */
export interface DocumentPath {
  /** Whether it can give more than one match, as `$.data[*]` does. */
  multiple: boolean;
  /**
   * The first match; undefined when there is none. Throws ExpressionLimitError.
   * @param budget of everything that is read of one document; default: one of this call alone
   */
  first(document: unknown, budget?: WorkBudget): unknown;
  /**
   * All values of the path: the matches of a wildcard, the members of a list, or the single value. Throws ExpressionLimitError.
   */
  list(document: unknown, budget?: WorkBudget): unknown[];
}

/**
 * Compiles such a path. The document becomes the payload of an event, so authors also write `$.payload.id` for `$.id`: that
 * spelling is read where the document has no `payload` of its own. Throws ExpressionError.
 */
export function compileDocumentPath(text: string): DocumentPath {
  if (!text.startsWith('$')) throw new ExpressionError('reference', `'${text}' is not a JSONPath: it must start with '$'`);
  const components = parsePath(text);
  const path = compilePath(components);
  const [head, ...rest] = components;
  const isPayload = head?.scope === 'child' && head.expression.value === 'payload';
  const below = isPayload ? compilePath(rest) : null;
  const read = (document: unknown, budget = new WorkBudget()): unknown[] => {
    const found = path.all(document, budget);
    return found.length === 0 && below ? below.all(document, budget) : found;
  };
  return {
    multiple: path.multiple,
    first: (document, budget) => read(document, budget)[0],
    list: (document, budget) => {
      const found = read(document, budget);
      return !path.multiple && Array.isArray(found[0]) ? (found[0] as unknown[]) : found;
    },
  };
}
