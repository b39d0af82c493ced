import { deepEqual } from '@sluice/flow-engine';

/** Whether two documents are equal; the order of keys does not count, the order of lists does. */
export function configEquals(a: unknown, b: unknown): boolean {
  return deepEqual(a, b);
}

/** The same text for equal documents: keys sorted at every depth. For hashes and comparisons across processes. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
