const quote = 0x22;
const backslash = 0x5c;
const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

/** Whether JSON text nests objects and lists deeper than `limit`. Looks at bytes only: the text need not be valid. */
export function isDeeperThan(json: Uint8Array, limit: number): boolean {
  if (json.length <= limit) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (isOpening(byte) && (depth += 1) > limit) return true;
    else if (isClosing(byte)) depth -= 1;
  }
  return false;
}
