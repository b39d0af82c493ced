import { hash } from 'node:crypto';

/** SHA-256 of UTF-8 text or bytes, as 64 lowercase hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
