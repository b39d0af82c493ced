const mostOf64Bits = 9_223_372_036_854_775_807n;

/** Kinds of values that a place in a list is made of. A store compares them with its columns as they are. */
const kinds = {
  /** Any text that a column can hold. */
  text: (value: unknown): value is string => typeof value === 'string' && !/\0|\p{Surrogate}/u.test(value),
  /** A whole number from 0 on. */
  whole: (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
  /** A whole number of 32 bits. */
  int: (value: unknown): value is number => kinds.whole(value) && value <= 2_147_483_647,
  /** A whole number of 64 bits, as a text. */
  bigint: (value: unknown): value is string => /^\d{1,19}$/.test(String(value)) && BigInt(String(value)) <= mostOf64Bits,
  /** ISO 8601 in UTC with milliseconds. */
  time: (value: unknown): value is string => typeof value === 'string' && /^(?:19[7-9]|[2-9]\d\d)\d-/.test(value) && isIso(value),
  /** A lowercase UUID. */
  id: (value: unknown): value is string => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
} as const;

type Kind = keyof typeof kinds;
type ValueOf<K extends Kind> = (typeof kinds)[K] extends (value: unknown) => value is infer V ? V : never;
type PlaceOf<Shape extends readonly Kind[]> = { -readonly [I in keyof Shape]: ValueOf<Shape[I]> };

function isIso(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

/** A list was asked to go on from a cursor that it has not made. The HTTP server answers 422 at `cursor`. */
export class InvalidCursor extends Error {
  override name = 'InvalidCursor';

  constructor(readonly cursor: string) {
    super('this list has not made the cursor');
  }
}

/** Places in a list as opaque texts. */
export interface ListCursor<Place> {
  of(place: Place): string;
  /**
   * The place of a cursor; null: none was given, the list begins.
   * @throws InvalidCursor for a text that `of` of this list has not made
   */
  read(cursor: string | undefined): Place | null;
}

/**
 * The cursors of a list.
 * @param list its name, which tells its cursors from those of other lists
 * @param shape what a place is made of, in the order of the list
 */
export function listCursor<const Shape extends readonly Kind[]>(list: string, ...shape: Shape): ListCursor<PlaceOf<Shape>> {
  const of = (place: readonly unknown[]): string => Buffer.from(JSON.stringify([list, ...place])).toString('base64url');
  const read = (cursor: string | undefined): PlaceOf<Shape> | null => {
    if (cursor === undefined) return null;
    const place = parsed(cursor).slice(1);
    const fits = place.length === shape.length && shape.every((kind, index) => kinds[kind](place[index]));
    // Another list, or another spelling of the same place, is none that we made.
    if (!fits || of(place) !== cursor) throw new InvalidCursor(cursor);
    return place as PlaceOf<Shape>;
  };
  return { of, read };
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    // No JSON, so it is none of ours.
    return [];
  }
}
