import { maskTexts, type TargetAnswer } from '@sluice/ports';
import type { RestResult } from '@sluice/rest-client';

/** Characters of an answer that a failure repeats. */
const quotedLength = 200;
/** Deeper answers are kept as text: their readers are recursive. */
const maxDepth = 200;

/**
 * An answer as a step sees it, without cookies.
 * @param mask takes secrets out of a text, because destinations repeat what they were sent
 */
export function readAnswer(answer: Extract<RestResult, { answered: true }>, mask: (text: string) => string): TargetAnswer {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined || name === 'set-cookie' ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return {
    status: answer.status,
    headers: maskTexts(Object.fromEntries(headers), mask),
    body: maskTexts(bodyOf(answer.body), mask),
  };
}

function bodyOf(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value, maxDepth) ? text : value;
  } catch {
    // Not JSON: the answer is the text.
    return text;
  }
}

function isDeep(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1));
}

/** The beginning of an answer, for the message of a failure. */
export function quotedAnswer(body: unknown): string {
  if (body === null) return '';
  const text = (typeof body === 'string' ? body : JSON.stringify(body)).replace(/\s+/g, ' ').trim();
  return `: ${text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text}`;
}
