/** The parts of a JSON pointer as ajv gives it; array positions become numbers. */
export function pathOf(pointer: string, value: unknown): (string | number)[] {
  const parts = pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = value;
  return parts.map((part) => {
    const step = Array.isArray(at) ? Number(part) : part;
    at = child(at, step);
    return step;
  });
}

/** What lies at the path, undefined when nothing does. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(child, value);
}

function child(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, unknown>)[step];
}
