/** What one page of a poller may take: milliseconds, and bytes. */
export const pageBounds = { timeoutMs: 30_000, maxBytes: 50 * 1024 * 1024 } as const;
