import type { ErrorObject } from 'ajv';

/**
 * Of a failed `anyOf` or `oneOf` ajv reports the problems of every branch and one of the whole. Only those of the most likely
 * branch are kept: the one that fails deepest inside the value, with the fewest problems. When all branches fail at the value
 * itself (its type, its constant), only the problem of the whole is kept.
 */
export function bestBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = errors.filter(({ keyword }) => keyword !== 'if' || errors.length === 1);
  for (const whole of errors.filter(isChoice)) {
    const inside = kept.filter((error) => error !== whole && isInside(error, whole));
    if (inside.length === 0) continue;
    const best = bestOf(groupByBranch(inside, whole), whole);
    kept = kept.filter((error) =>
      best ? error !== whole && (!inside.includes(error) || best.includes(error)) : !inside.includes(error),
    );
  }
  return kept;
}

const isChoice = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf';

function isInside(error: ErrorObject, whole: ErrorObject): boolean {
  const sameValue = error.instancePath === whole.instancePath || error.instancePath.startsWith(`${whole.instancePath}/`);
  return sameValue && error.schemaPath.startsWith(`${whole.schemaPath}/`);
}

function groupByBranch(errors: readonly ErrorObject[], whole: ErrorObject): ErrorObject[][] {
  const groups = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const branch = error.schemaPath.slice(whole.schemaPath.length + 1).split('/', 1)[0] ?? '';
    groups.set(branch, [...(groups.get(branch) ?? []), error]);
  }
  return [...groups.values()];
}

/** Undefined when no branch got past the value itself. */
function bestOf(branches: ErrorObject[][], whole: ErrorObject): ErrorObject[] | undefined {
  const meant = branches.filter((branch) => !branch.some((error) => refusesWhole(error, whole)));
  return meant.sort((a, b) => a.length - b.length)[0];
}

/** A problem that says "another branch": the wrong type, or a constant (a tag like `type: "x"`) that differs. */
function refusesWhole({ keyword, instancePath }: ErrorObject, whole: ErrorObject): boolean {
  const here = instancePath === whole.instancePath;
  const oneBelow =
    instancePath.startsWith(`${whole.instancePath}/`) && !instancePath.slice(whole.instancePath.length + 1).includes('/');
  return (here && keyword === 'type') || ((here || oneBelow) && keyword === 'const');
}
