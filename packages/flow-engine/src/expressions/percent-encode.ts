/**
 * Percent-encodes a text for a URL. Lone surrogates cannot be encoded: they become the replacement character, as in the URL
 * standard.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
