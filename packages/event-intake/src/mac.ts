import { hash } from 'node:crypto';

/** HMAC-SHA-256 of a latin1 text (one byte per character); the 32 bytes are returned as a latin1 text too. */
export type Mac = (message: string) => string;

const blockBytes = 64;
const macBytes = 32;

/**
 * HMAC (RFC 2104) with its two keyed blocks made once: `createHmac` builds an object of OpenSSL for every call, which costs
 * several times the hashing, and every accepted event needs one.
 * @param secret at most 64 bytes
 */
export function createMac(secret: Buffer): Mac {
  if (secret.length > blockBytes) throw new Error('a key of a MAC has at most 64 bytes');
  let inner = keyed(secret, 0x36, blockBytes);
  const outer = keyed(secret, 0x5c, blockBytes + macBytes);
  return (message) => {
    const size = blockBytes + message.length;
    if (inner.length < size) inner = keyed(secret, 0x36, size);
    inner.write(message, blockBytes, 'latin1');
    outer.write(hash('sha256', inner.length === size ? inner : inner.subarray(0, size), 'binary'), blockBytes, 'latin1');
    return hash('sha256', outer, 'binary');
  };
}

/** The key, padded and masked, with room behind it. */
function keyed(secret: Buffer, mask: number, size: number): Buffer {
  const block = Buffer.alloc(size);
  secret.copy(block);
  for (let at = 0; at < blockBytes; at += 1) block[at] = (block[at] as number) ^ mask;
  return block;
}
