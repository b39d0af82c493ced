import { compileDocumentPath, type DocumentPath } from '@sluice/flow-engine';

/**
 * Compiles the path of a list of elements. `$.data` and `$.data[*]` name the same list; where a path has several matches, for
 * example `$.orders[*].lines[*]`, each of them is an element. Throws ExpressionError.
 */
export function compileElementsPath(text: string): DocumentPath {
  const list = compileDocumentPath(text.endsWith('[*]') ? text.slice(0, -'[*]'.length) : text);
  return list.multiple ? compileDocumentPath(text) : list;
}
