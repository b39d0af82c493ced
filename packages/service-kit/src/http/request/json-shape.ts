import { randomBytes } from 'node:crypto';

/** The contents of JSON text that decide its cost. */
export interface JsonShape {
  bytes: number;
  /** Values: of lists, of objects, and these themselves. */
  values: number;
  /** Different names of properties. Slightly too few where there are thousands. */
  names: number;
  /** Why the text must not be parsed; null when it may be (it may still be invalid JSON). */
  problem: JsonProblem | null;
}

/** `malformed`: brackets or quotes without their counterpart. */
export type JsonProblem = 'malformed' | 'too_deep' | 'too_many_values' | 'too_many_names';

/**
 * Limits that no real request needs to exceed. Every value costs at least some hundred nanoseconds to parse and to write again, a
 * name that was not seen before ten times that: without these bounds 10 MiB of brackets or names keep a process busy for seconds.
 */
export const jsonBounds = { depth: 200, values: 1_000_000, names: 20_000 } as const;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** One bit per hash of a name. Shared by all scans: each is synchronous and starts by clearing it. */
const seen = new Uint8Array(8_192);
/** Random, so that a sender cannot choose names with equal hashes. */
const seed = randomBytes(4).readUInt32LE();
const open: number[] = [];

/** Scans JSON text in UTF-8 once and returns its shape, and whether it is within the bounds. */
export function jsonShape(json: Uint8Array): JsonShape {
  const shape: JsonShape = { bytes: json.length, values: 0, names: 0, problem: null };
  seen.fill(0);
  open.length = 0;
  let nameFrom = 0;
  let nameTo = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) {
      nameFrom = at + 1;
      nameTo = endOfText(json, nameFrom);
      if (nameTo < 0) return { ...shape, problem: 'malformed' };
      at = nameTo;
    } else if (byte === comma) shape.values += 1;
    else if (byte === colon) shape.names += mark(json, nameFrom, nameTo);
    else if (byte === openList || byte === openObject) {
      shape.values += 1;
      if (open.push(byte) > jsonBounds.depth) return { ...shape, problem: 'too_deep' };
    } else if ((byte === closeList || byte === closeObject) && open.pop() !== byte - 2) return { ...shape, problem: 'malformed' };
    if (shape.values > jsonBounds.values) return { ...shape, problem: 'too_many_values' };
    if (shape.names > jsonBounds.names) return { ...shape, problem: 'too_many_names' };
  }
  return open.length === 0 ? shape : { ...shape, problem: 'malformed' };
}

/** Where a text that starts here ends: its closing quote. -1: nowhere. */
function endOfText(json: Uint8Array, from: number): number {
  for (let at = from; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return -1;
}

/** 1 when the name was not seen before in this scan, else 0. */
function mark(json: Uint8Array, from: number, to: number): 0 | 1 {
  let hash = seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (json[at] as number), 0x01000193);
  const slot = (hash >>> 16) ^ (hash & 0xffff);
  const bit = 1 << (slot & 7);
  const index = slot >>> 3;
  if (((seen[index] as number) & bit) !== 0) return 0;
  seen[index] = (seen[index] as number) | bit;
  return 1;
}
