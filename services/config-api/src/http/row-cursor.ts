import { HttpError, validationEntry } from '@sluice/service-kit';

const shape = /^[\w-]+$/;

/** The place in a list whose rows have a number that rises, as an opaque text. */
export const rowCursor = {
  of: (last: number): string => Buffer.from(JSON.stringify(['row', last])).toString('base64url'),

  /**
   * The number of the last row that was shown; 0: none was.
   * @throws HttpError 422 at `cursor` for a text that `of` did not make
   */
  read(cursor: string | undefined): number {
    if (cursor === undefined) return 0;
    const number = shape.test(cursor) ? numberOf(Buffer.from(cursor, 'base64url').toString()) : null;
    if (number === null)
      throw new HttpError(422, [validationEntry('query', ['cursor'], 'value_error', 'Not a cursor of this list', cursor)]);
    return number;
  },
};

function numberOf(text: string): number | null {
  const [, digits] = /^\["row",(\d{1,15})\]$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}
