import { checkSource, findSource, isSecretKey, secretProblem as secretOf, type SourceProblem } from '@sluice/sources';
import { problem, type Loc, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

/** The problem of a secret at `path` of the document (docs/reference/config-document.md, Sources). Its value is not repeated. */
export const secretProblem = (path: Loc): Problem => placed([], secretOf(path));

/** Whether an unknown key of a source definition, beside its `config` or in it, is such a secret. */
export const isSecretOfSource = (path: Loc): boolean =>
  path.length >= 3 && path[0] === 'sources' && isSecretKey(String(path.at(-1)));

/** What each type of source checks beyond its schema, and its name. Secrets of sources whose type is none are refused too. */
export function* checkSources({ sources, isSound }: ValidParts): Generator<Problem> {
  for (const { index, value } of sources) {
    const loc = ['sources', index, 'config'];
    const nameLoc = ['sources', index, 'name'];
    if (isSound(nameLoc) && /\p{Cc}/u.test(value.name))
      yield problem('value_error', nameLoc, `'name' must not hold control characters`, value.name);
    if (!isSound(loc)) continue;
    if (isSound(['sources', index, 'type']) && findSource(value.type)) {
      for (const one of checkSource(value)) yield placed(loc, one);
    } else {
      for (const key of Object.keys(value.config ?? {})) if (isSecretKey(key)) yield secretProblem([...loc, key]);
    }
  }
}

const placed = (loc: Loc, { code, path, message, input }: SourceProblem): Problem =>
  problem(code, [...loc, ...path], message, input ?? null);
