import { timingSafeEqual } from 'node:crypto';
import type { Receiver } from '../source-runtime';
import { type ByteMac, createByteMac } from './byte-mac';
import { signatureScheme } from './signature-scheme';
import { urlToken } from './url-token';
import type { WebhookConfig } from './webhook-config';

const defaultToleranceSeconds = 300;

/**
 * Compiles the check of a source's signatures. Every signature is compared with every key in the same time, whatever is right or
 * wrong with it: the time of an answer says nothing about the secret.
 */
export function compileVerify(config: WebhookConfig): Receiver['verify'] {
  if (!isSigned(config)) return verifyToken;
  const { readClaim, keys } = signatureScheme(config);
  const macsOf = ofLast((secret: string): ByteMac[] => keys(secret).map(createByteMac));
  const toleranceMs = (config.signature_tolerance_seconds ?? defaultToleranceSeconds) * 1_000;
  return ({ headers, body, token }, secret, now) => {
    const claim = token === null ? readClaim(headers) : null;
    if (claim === null) return null;
    const { prefix, repeat, signatures, time } = claim;
    let isRight = false;
    for (const mac of macsOf(secret)) {
      const expected = mac(prefix, body);
      for (const signature of signatures) isRight = timingSafeEqual(expected, signature) || isRight;
    }
    const isTimely = time === null || Math.abs(now - time) <= toleranceMs;
    return isRight && isTimely ? { repeat } : null;
  };
}

/** Keeps what was made of the last argument: a source has one secret at a time. */
function ofLast<K, V>(make: (key: K) => V): (key: K) => V {
  let last: { key: K; made: V } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, made: make(key) };
    return last.made;
  };
}

/** Whether a source checks signatures. */
export const isSigned = ({ verify_signature: algorithm }: WebhookConfig): boolean => algorithm !== 'none';

const verifyToken: Receiver['verify'] = ({ token }, secret) => {
  const [given, expected] = [Buffer.from(token ?? ''), Buffer.from(urlToken(secret))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? { repeat: null } : null;
};
