/** Stands where something was taken out. */
export const maskedMark = '[masked]';

/** Texts that are secrets by their form. */
const secretForms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:Bearer|Basic)\s+[\w+/=.~-]{8,}/gi,
  // JSON web tokens.
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g,
  // Keys of well-known makers, our own among them, begin with a short word.
  /\b(?:sk|pk|rk|ak|pat|key|token|secret|whsec|ghp|gho|ghs|xox[abp]|slk|slo|slc|sluice)[-_][\w-]{8,}/gi,
  /\bAKIA[0-9A-Z]{12,}/g,
  /\b(?:password|passwd|secret|token|api[-_ ]?key)["']?\s*[:=]\s*["']?[^\s"',;]{4,}/gi,
  // In a sentence only what is no word: "the password is hunter2".
  /\b(?:password|passwd|secret|token|api[-_ ]?key)\s+is\s+["']?(?=\S*\d)[^\s"',;]{4,}/gi,
  // User and password of a URL.
  /(?<=:\/\/)[^\s/@]+:[^\s/@]+(?=@)/g,
];

/** Long runs of letters and digits without words: tokens of any maker. */
const randomRun = /[\w+/=-]{28,}/g;
const looksRandom = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text) && text.replaceAll(/[^\d]/g, '').length >= 4
  && !/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** A text without what has the form of a secret. */
export function maskText(text: string): string {
  const masked = secretForms.reduce((rest, form) => rest.replaceAll(form, maskedMark), text);
  return masked.replaceAll(randomRun, (run) => (looksRandom(run) ? maskedMark : run));
}
