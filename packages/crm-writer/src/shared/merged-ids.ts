import type { CrmRecord } from '@sluice/ports';

/** The ids of records that were merged into this one: reads by them return it (docs/reference/crm-api.md, Writing). */
export const mergedIds = 'hs_merged_object_ids';

/** All ids by which reads return the record. */
export const idsOf = ({ id, properties }: Pick<CrmRecord, 'id' | 'properties'>): string[] =>
  [...(properties[mergedIds]?.split(';') ?? []), id];
