import { apiError } from '@sluice/service-kit';
import { dictionary } from '@zxcvbn-ts/language-common';

const shortest = 10;
const fewestDifferent = 5;

/** The most common passwords, lower-cased. */
const common = new Set(dictionary.passwords.filter((word) => word.length >= shortest));

/** What everybody knows of the person who chooses a password. */
export interface KnownWords {
  email: string;
  /** null: the person has none. */
  organizationName: string | null;
}

/** Throws HttpError 400 `password_too_short` or `password_too_common` for a weak password. */
export function assertGoodPassword(password: string, known: KnownWords): void {
  if ([...password].length < shortest) throw apiError('password_too_short');
  if (isTooCommon(password) || isMadeOfKnownWords(password, known)) throw apiError('password_too_common');
}

const product = 'sluice';
/** Characters of a word from which on it counts: shorter ones are in every password. */
const shortestWord = 4;

/**
 * Whether a password is the address, the name before its @, the organization's name or the product's, and little else, in any
 * letter case and with any punctuation. Such a word among others does no harm: what stands beside it has to be guessed.
 */
export function isMadeOfKnownWords(password: string, { email, organizationName }: KnownWords): boolean {
  const compacted = compact(password);
  const isMadeOf = (word: string): boolean => word.length >= shortestWord && compacted.includes(word)
    && compacted.replaceAll(word, '').length < shortest - shortestWord;
  return [product, email, email.slice(0, email.lastIndexOf('@')), organizationName ?? ''].map(compact).some(isMadeOf);
}

const compact = (text: string): string => text.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]+/gu, '');

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
