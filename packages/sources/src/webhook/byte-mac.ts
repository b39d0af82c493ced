import { createHmac, hash } from 'node:crypto';

/** HMAC-SHA-256 of a text and the bytes behind it. */
export type ByteMac = (prefix: string, body: Buffer) => Buffer;

const blockBytes = 64;
const macBytes = 32;
/** Bodies up to this length are copied behind the key, and hashed in one call. */
const longestCopied = 16_384;
/** Of all keys: it is filled and hashed without a pause, and there are many keys. */
const scratch = Buffer.alloc(blockBytes + longestCopied);

/**
 * HMAC (RFC 2104) with its two keyed blocks made once: `createHmac` builds an object of OpenSSL for every call, which costs more
 * than hashing the usual body.
 */
export function createByteMac(key: Buffer): ByteMac {
  const short = key.length > blockBytes ? hash('sha256', key, 'buffer') : key;
  const inner = keyed(short, 0x36, blockBytes);
  const outer = keyed(short, 0x5c, blockBytes + macBytes);
  return (prefix, body) => {
    const from = blockBytes + Buffer.byteLength(prefix);
    if (from + body.length > scratch.length) return createHmac('sha256', key).update(prefix).update(body).digest();
    inner.copy(scratch);
    scratch.write(prefix, blockBytes);
    body.copy(scratch, from);
    outer.write(hash('sha256', scratch.subarray(0, from + body.length), 'binary'), blockBytes, 'latin1');
    // Twice as fast as the digest as a buffer.
    return Buffer.from(hash('sha256', outer, 'binary'), 'latin1');
  };
}

/** The key, padded and masked, with room behind it. */
function keyed(key: Buffer, mask: number, size: number): Buffer {
  const block = Buffer.alloc(size);
  key.copy(block);
  for (let at = 0; at < blockBytes; at += 1) block[at] = (block[at] as number) ^ mask;
  return block;
}
