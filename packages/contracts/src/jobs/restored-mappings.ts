/** Identity mappings of one request that restores them: how many, and the bytes of its body. */
export const restoredMappings = { most: 1_000, bytes: 1024 ** 2 } as const;
