import { describedAction } from '@sluice/actions';
import { faultOfHeaderName, faultOfHeaderValue } from '@sluice/public-address';
import { hasSecret, isCredentialHeader } from '@sluice/sources';
import { problem, type Loc, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

/** Headers and URLs of steps: what a credential is for, and headers that no request may set. */
export function* checkStepSecrets({ steps, isSound }: ValidParts): Generator<Problem> {
  for (const { step, loc } of steps) {
    if (!isSound(loc)) continue;
    const fields = describedAction(step.action)?.configSchema.properties ?? {};
    if (Object.hasOwn(fields, 'headers')) yield* checkHeaders([...loc, 'headers'], step.headers);
    if (Object.hasOwn(fields, 'url')) yield* checkUrl([...loc, 'url'], step.url);
  }
}

function* checkHeaders(loc: Loc, headers: unknown): Generator<Problem> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return;
  for (const [name, value] of Object.entries(headers)) {
    const place = [...loc, name];
    if (isSecret(name, value)) yield secretOfStep(place);
    else {
      const why = faultOfHeaderName(name) ?? (typeof value === 'string' ? faultOfHeaderValue(value) : null);
      if (why !== null) yield problem('header_invalid', place, `'${name}' ${why}`);
    }
  }
}

/** Names that only ever authenticate the caller. Other names that sound like it may carry what an event brought. */
const authenticates = /^(?:proxy-)?authorization$|^cookie$/i;

const isSecret = (name: string, value: unknown): boolean =>
  authenticates.test(name) || (isCredentialHeader(name, value) && !isReference(value));

/** Whether a value comes from the event alone. */
function isReference(value: unknown): boolean {
  return typeof value === 'string' && (/^\s*\$[.\w]/.test(value) || withoutReferences(value).trim() === '');
}

const withoutReferences = (text: string): string => text.replaceAll(/\{\$[^{}]*\}/g, '');

/** A URL of a step: whole, or a path below the URL of its destination. */
function* checkUrl(loc: Loc, text: unknown): Generator<Problem> {
  if (typeof text !== 'string' || isReference(text)) return;
  const plain = withoutReferences(text);
  const base = 'http://destination.invalid';
  if (!URL.canParse(plain, base)) return;
  const url = new URL(plain, base);
  // A parameter whose value is a reference carries what the event brought.
  for (const name of [...url.searchParams.keys()]) if (url.searchParams.get(name) === '') url.searchParams.delete(name);
  if (hasSecret(url)) yield secretOfStep(loc);
}

/** The value is not repeated. */
const secretOfStep = (loc: Loc): Problem =>
  problem(
    'secret_not_declarable',
    loc,
    `secret_not_declarable: '${loc.at(-1)}' cannot be part of a step; the destination's credential_name and secret_headers name it`,
  );
