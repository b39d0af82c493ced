import { deepEqual } from '@sluice/flow-engine';

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { op: 'add' | 'replace'; path: string; value: unknown }
  | { op: 'remove'; path: string };

/**
 * The JSON Patch that makes `from` into `to`, for JSON values. The work grows with the two documents, not with the product of
 * their lists: of a list the equal start and the equal end are kept, and the part between is compared index by index.
 */
export function jsonPatch(from: unknown, to: unknown, path = ''): PatchOperation[] {
  if (from === to) return [];
  if (Array.isArray(from) && Array.isArray(to)) return listPatch(from, to, path);
  if (isObject(from) && isObject(to)) return objectPatch(from, to, path);
  return [{ op: 'replace', path, value: to }];
}

function objectPatch(from: Record<string, unknown>, to: Record<string, unknown>, path: string): PatchOperation[] {
  const at = (key: string): string => `${path}/${escaped(key)}`;
  const removed = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  return [
    ...removed.map((key): PatchOperation => ({ op: 'remove', path: at(key) })),
    ...Object.keys(to).flatMap((key): PatchOperation[] =>
      Object.hasOwn(from, key) ? jsonPatch(from[key], to[key], at(key)) : [{ op: 'add', path: at(key), value: to[key] }],
    ),
  ];
}

function listPatch(from: readonly unknown[], to: readonly unknown[], path: string): PatchOperation[] {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && deepEqual(from[start], to[start])) start += 1;
  let end = 0;
  while (end < shorter - start && deepEqual(from.at(-1 - end), to.at(-1 - end))) end += 1;
  const [before, after] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  const common = Math.min(before.length, after.length);
  return [
    ...before.slice(0, common).flatMap((item, index) => jsonPatch(item, after[index], `${path}/${start + index}`)),
    // One after the other at the same index, because the following elements move up.
    ...before.slice(common).map((): PatchOperation => ({ op: 'remove', path: `${path}/${start + common}` })),
    ...after.slice(common).map((value, index): PatchOperation =>
      ({ op: 'add', path: `${path}/${start + common + index}`, value })),
  ];
}

/** A key as a part of a JSON Pointer (RFC 6901). */
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
