/** Bytes of every value beside its text: a slot, and its part of an object, a list or a string. */
const perValue = 48;

/** The approximate memory of a parsed JSON value. A small value takes far more than its text: `{}` has 2 bytes of text. */
export function memoryOf(value: unknown): number {
  let bytes = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    bytes += perValue;
    if (typeof one === 'string') bytes += one.length;
    else if (Array.isArray(one)) for (const member of one) open.push(member);
    else if (typeof one === 'object' && one !== null) for (const name in one) open.push((one as Record<string, unknown>)[name]);
  }
  return bytes;
}
