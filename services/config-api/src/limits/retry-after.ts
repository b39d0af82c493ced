/** The header that says when to try again, in whole seconds, at least one. */
export const retryAfter = (waitMs: number): { 'Retry-After': string } =>
  ({ 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))) });
