const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map([...alphabet].map((letter, index) => [letter, index]));

/** Standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const letters = [18, 12, 6, 0].map((shift) => alphabet[(group >> shift) & 63]!).join('');
    const missing = Math.max(at + 3 - bytes.length, 0);
    parts.push(letters.slice(0, 4 - missing) + '='.repeat(missing));
  }
  return parts.join('');
}

/** The UTF-8 text of standard or URL-safe base64, padded or not; null when it is neither. */
export function decodeBase64(text: string): string | null {
  const letters = text
    .replace(/\s+/g, '')
    .replace(/={0,2}$/, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  if (letters.length % 4 === 1) return null;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of letters) {
    const value = values.get(letter);
    if (value === undefined) return null;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return decodeUtf8(bytes);
}

/** Strict UTF-8 through the percent decoder, which every ECMAScript engine has; null for invalid bytes. */
function decodeUtf8(bytes: number[]): string | null {
  const encoded = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Invalid UTF-8: the caller reports it as a value it cannot handle.
    return null;
  }
}
