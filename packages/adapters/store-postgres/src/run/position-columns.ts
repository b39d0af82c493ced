import type { AcceptPosition } from '@sluice/ports';
import type { BulkValue } from '../bulk-rows';

/** The columns of an accept position, for `bulkRows`. */
export const positionColumns = {
  position_partition: 'integer',
  position_offset: 'bigint',
  position_accepted_at: 'timestamptz',
} as const;

/** A position as a row of `bulkParameter`; null: the row has none. */
export const positionRow = (position: AcceptPosition | null): Record<keyof typeof positionColumns, BulkValue> => ({
  position_partition: position?.partition ?? null,
  position_offset: position?.offset.toString() ?? null,
  position_accepted_at: position?.acceptedAt ?? null,
});

/** `DO UPDATE SET` of a row that takes the position of the one that is saved. */
export const takePosition = Object.keys(positionColumns).map((name) => `${name} = excluded.${name}`).join(', ');
