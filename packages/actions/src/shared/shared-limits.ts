import type { FieldLimit, PortLimit } from '../action-limit';

/** A limit that is checked as the config is saved. */
export const savedLimit = (
  id: string,
  max: number,
  what: string,
  more: Partial<Pick<FieldLimit, 'fields' | 'unit' | 'checked'>> = {},
): FieldLimit => ({ on: 'field', id, max, unit: 'items', what, fields: [id], checked: ['save'], ...more });

export const charactersLimit = (id: string, max: number): FieldLimit => savedLimit(id, max, `in ${id}`, { unit: 'characters' });

/** `associations` of the actions that write a record. */
export const associationsLimit = savedLimit('associations', 100, 'associations');

/** `chunk_size`: the inputs of one call, which the CRM bounds (docs/reference/crm-api.md). */
const chunkLimit = (what: string): FieldLimit => savedLimit('chunk_size', 100, `${what} in one call to the CRM`);
export const recordChunkLimit = chunkLimit('records');
export const associationChunkLimit = chunkLimit('associations');

/** Conditions of one group of a search, which the CRM bounds (docs/reference/crm-api.md, Search). */
export const conditionsOfGroup = 6;

/** Properties that one read asks for. */
export const propertiesLimit = savedLimit('properties', 500, 'properties');

/** As written, references in place of their values. */
export const urlLimit = charactersLimit('url', 4096);
export const filenameLimit = charactersLimit('filename', 256);

/** Bytes of one file. */
export const fileLimit = {
  on: 'port',
  id: 'size',
  call: 'file',
  max: 20 * 1_048_576,
  unit: 'bytes',
  what: 'in one file',
  checked: ['attempt'],
  setting: 'SLUICE_FILE_MAX_SIZE',
} as const satisfies PortLimit;

/** Time to read a file from its address. */
export const downloadLimit = {
  on: 'port',
  id: 'time',
  call: 'download',
  max: 30_000,
  unit: 'ms',
  what: 'to read the content from its address',
  checked: ['attempt'],
  setting: 'SLUICE_FILE_TIMEOUT',
} as const satisfies PortLimit;
