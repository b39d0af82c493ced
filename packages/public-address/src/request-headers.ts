/**
 * Headers that belong to one connection (RFC 9110, section 7.6.1), or say where a request goes and how it is framed. Whoever sets
 * one sends a request that the other side reads as another one.
 */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection', 'content-length', 'expect', 'host', 'http2-settings', 'keep-alive', 'proxy-authenticate', 'proxy-authorization',
  'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade',
]);
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

/** Whether a request's header is set by the connection alone. */
export const isConnectionHeader = (name: string): boolean => connectionHeaders.has(name.toLowerCase());

/** Why a name cannot be that of a header of a request, as the end of a sentence; null: it can. */
export function faultOfHeaderName(name: string): string | null {
  if (!headerName.test(name)) return 'is not a header name';
  return isConnectionHeader(name) ? 'belongs to the connection and cannot be set' : null;
}

/** Why a value cannot be that of a header; null: it can. */
export function faultOfHeaderValue(value: unknown): string | null {
  if (typeof value !== 'string' || /[\r\n\0]/.test(value) || value.length > 4096)
    return 'must be a text of one line, at most 4096 characters';
  return null;
}
