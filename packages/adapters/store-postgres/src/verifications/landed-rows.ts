/** The condition that a row of the history is of a write that landed. */
export const landed = (row: string): string => `${row}.status IN ('completed', 'partial_success')`;

/**
 * The condition that it is of the record with the external id of `named`. The connector is $2, the entity $3; served by the index
 * on the hash of the external id.
 */
export const landedOf = (named: string, row: string): string => `${row}.connector_id = $2 AND ${row}.entity_name = $3
  AND md5(${row}.external_id) = md5(${named}.external_id) AND ${row}.external_id = ${named}.external_id AND ${landed(row)}`;
