/** Errors of making a connection: nothing was written to a socket. */
const connectErrors: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Whether a call failed before anything of it was sent. A name with several addresses gives one error for each of them. */
export function isUnsent(error: unknown): boolean {
  const { errors: each, code } = (error ?? {}) as { errors?: unknown; code?: unknown };
  return Array.isArray(each) && each.length > 0 ? each.every(isUnsent) : connectErrors.has(code);
}
