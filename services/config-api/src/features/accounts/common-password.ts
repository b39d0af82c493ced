import { apiError } from '@sluice/service-kit';
import { dictionary } from '@zxcvbn-ts/language-common';

const shortest = 10;
const fewestDifferent = 5;

/** The most common passwords, lower-cased. */
const common = new Set(dictionary.passwords.filter((word) => word.length >= shortest));

/** Throws HttpError 400 `password_too_short` or `password_too_common` for a weak password. */
export function assertGoodPassword(password: string): void {
  if ([...password].length < shortest) throw apiError('password_too_short');
  if (isTooCommon(password)) throw apiError('password_too_common');
}

/**
 * Whether a password is easy to guess: on the list of common ones in any letter case, made of blanks or of very few different
 * characters, or a sequence such as `0123456789`.
 */
export function isTooCommon(password: string): boolean {
  const plain = password.trim().toLowerCase();
  return new Set(plain).size < fewestDifferent || isRun(plain) || common.has(plain);
}

/** Every character follows the one before it, upwards or downwards; 0 may follow 9. */
function isRun(text: string): boolean {
  const steps = new Set(
    [...text].slice(1).map((character, index) => (character.charCodeAt(0) - text.charCodeAt(index) + 10) % 10),
  );
  return steps.size === 1 && (steps.has(1) || steps.has(9));
}
