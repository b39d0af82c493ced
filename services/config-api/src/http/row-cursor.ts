import { listCursor } from '@sluice/ports';

const cursors = listCursor('row', 'whole');

/** The place in a list whose rows have a number that rises, as an opaque text. */
export const rowCursor = {
  of: (last: number): string => cursors.of([last]),

  /**
   * The number of the last row that was shown; 0: none was.
   * @throws InvalidCursor for a text that `of` did not make: answered with 422 at `cursor`
   */
  read: (cursor: string | undefined): number => cursors.read(cursor)?.[0] ?? 0,
};
