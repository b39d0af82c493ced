import type { ConfigDocument } from '@sluice/contracts';

/** The config of a JSON text; null for null. */
export const parsedOrNull = (text: string | null): ConfigDocument | null =>
  text === null ? null : (JSON.parse(text) as ConfigDocument);
