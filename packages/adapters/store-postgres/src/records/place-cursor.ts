type Place = [topic: string, partition: number, epoch: number, offset: string, entityIndex: number, run: string];

interface PlaceColumns {
  topic: string;
  partition: number;
  ordering_epoch: number;
  offset: string | bigint;
  entity_index: number;
  run: string;
}

/** Before every row. */
const start: Place = ['', -1, -1, '-1', -1, ''];

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** The place of a held event in the list of its connector, as an opaque text. */
export const placeCursor = {
  of: ({ topic, partition, ordering_epoch: epoch, offset, entity_index: entity, run }: PlaceColumns): string =>
    Buffer.from(JSON.stringify([topic, partition, epoch, String(offset), entity, run])).toString('base64url'),

  /** Whether a text is such a cursor. */
  isOne: (cursor: string): boolean => parsed(cursor) !== null,

  /** The start of the list where none is given, or an invalid one. */
  read: (cursor: string | undefined): Place => (cursor === undefined ? null : parsed(cursor)) ?? start,
};

function parsed(cursor: string): Place | null {
  try {
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const [topic, partition, epoch, offset, entity, run] = place;
    const isPlace = typeof topic === 'string' && isWhole(partition) && isWhole(epoch) && /^\d{1,18}$/.test(String(offset))
      && isWhole(entity) && typeof run === 'string';
    return isPlace ? [topic, partition, epoch, String(offset), entity, run] : null;
  } catch {
    // Not JSON: see above.
    return null;
  }
}
