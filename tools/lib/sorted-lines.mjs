/** Edits of index files and registries: lists that stay in order. */
import { StepError } from './steps.mjs';

const isImport = (line) => line.startsWith('import ');
const isExport = (line) => /^export \* from /.test(line);
const moduleOf = (line) => /from '([^']+)'/.exec(line)?.[1] ?? line;
const byModule = (a, b) => (moduleOf(a) < moduleOf(b) ? -1 : moduleOf(a) > moduleOf(b) ? 1 : 0);

/** The source with further one-line imports, all imports of one line in order of their modules. */
export const withImports = (source, ...imports) => withLines(source, isImport, imports);

/** The source with a further `export * from`, in order. */
export const withExport = (source, line) => withLines(source, isExport, [line]);

function withLines(source, belongs, added) {
  const lines = source.split('\n');
  const first = lines.findIndex(belongs);
  if (first < 0) return [...added, ...lines].join('\n');
  const last = lines.findLastIndex(belongs);
  const block = lines.slice(first, last + 1);
  // Imports of several lines keep their place: only a block of single lines can be sorted.
  const sorted = block.every(belongs) ? [...block, ...added].sort(byModule) : [...block, ...added];
  return [...lines.slice(0, first), ...sorted, ...lines.slice(last + 1)].join('\n');
}

/** The source with the first match of `pattern` replaced; says which file no longer fits when there is none. */
export function replaced(source, pattern, replacement, file) {
  if (!pattern.test(source)) throw new StepError(`${file} no longer has ${pattern}: adapt the scaffold.`);
  return source.replace(pattern, replacement);
}
