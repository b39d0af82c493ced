/** A deep copy of plain rows. Not structuredClone: under jest its dates are of another realm, and are no Date to the test. */
export function copy<T>(value: T): T {
  if (value instanceof Date) return new Date(value) as T;
  if (Array.isArray(value)) return value.map(copy) as T;
  return typeof value === 'object' && value !== null
    ? (Object.fromEntries(Object.entries(value).map(([name, held]) => [name, copy(held)])) as T)
    : value;
}
