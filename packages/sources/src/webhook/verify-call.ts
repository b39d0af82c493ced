import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Receiver } from '../source-runtime';
import { signatureScheme } from './signature-scheme';
import { urlToken } from './url-token';
import type { WebhookConfig } from './webhook.source';

const defaultToleranceSeconds = 300;

/**
 * Compiles the check of a source's signatures. Every signature is compared with every key in the same time, whatever is right or
 * wrong with it: the time of an answer says nothing about the secret.
 */
export function compileVerify(config: WebhookConfig): Receiver['verify'] {
  if (!isSigned(config)) return verifyToken;
  const { readClaim, keys } = signatureScheme(config);
  const toleranceMs = (config.signature_tolerance_seconds ?? defaultToleranceSeconds) * 1_000;
  return ({ headers, body, token }, secret, now) => {
    const claim = token === null ? readClaim(headers) : null;
    if (claim === null) return null;
    const { prefix, repeat, signatures, time } = claim;
    let isRight = false;
    for (const key of keys(secret)) {
      const expected = createHmac('sha256', key).update(prefix).update(body).digest();
      for (const signature of signatures) isRight = timingSafeEqual(expected, signature) || isRight;
    }
    const isTimely = time === null || Math.abs(now - time) <= toleranceMs;
    return isRight && isTimely ? { repeat } : null;
  };
}

/** Whether a source checks signatures. */
export const isSigned = ({ verify_signature: algorithm }: WebhookConfig): boolean => algorithm !== 'none';

const verifyToken: Receiver['verify'] = ({ token }, secret) => {
  const [given, expected] = [Buffer.from(token ?? ''), Buffer.from(urlToken(secret))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? { repeat: null } : null;
};
