/** Rows of a JSON request, and bytes of a file, that one import takes at most. */
export const importLimits = { rows: 10_000, fileBytes: 2 * 1024 ** 3 } as const;

/** What a row of an import may be. `held`: while the import is. */
export const importRowStatuses = ['pending', 'held', 'completed', 'skipped', 'failed', 'parked'] as const;
export type ImportRowStatus = (typeof importRowStatuses)[number];
