import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
