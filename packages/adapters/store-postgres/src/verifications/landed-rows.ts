/** The condition that a row of the history is of a write that landed. */
export const landed = (row: string): string => `${row}.status IN ('completed', 'partial_success')`;

/** What the index of landed writes has of a row: a hash of its external id, seeded by its connector. */
const landedHash = (externalId: string, connectorId: string): string =>
  `hashtextextended(${externalId}, uuid_hash_extended(${connectorId}, 0))`;

/** The condition that it is of the record with the external id of `named`. The connector is $2, the entity $3. */
export const landedOf = (named: string, row: string): string => `${row}.connector_id = $2 AND ${row}.entity_name = $3
  AND ${landedHash(`${row}.external_id`, `${row}.connector_id`)} = ${landedHash(`${named}.external_id`, '$2')}
  AND ${row}.external_id = ${named}.external_id AND ${landed(row)}`;
