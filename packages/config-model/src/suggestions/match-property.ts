import type { PayloadField } from './payload-fields';
import { type KnownProperty, otherNames } from './usual-properties';

export type Confidence = 'high' | 'medium' | 'low';

export interface PropertyMatch {
  property: KnownProperty;
  confidence: Confidence;
  reason: string;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The best reason why a property may match a field; null when there is none. */
export function matchProperty({ keys, values }: PayloadField, property: KnownProperty): PropertyMatch | null {
  const last = plain(keys.at(-1)!);
  const path = plain(keys.join(''));
  const name = plain(property.name);
  const said = (confidence: Confidence, reason: string): PropertyMatch => ({ property, confidence, reason });
  if (last === name || path === name) return said('high', `The field has the name of the property '${property.name}'.`);
  if (last === plain(property.label)) return said('high', `The field has the name that the portal shows for '${property.name}'.`);
  if (otherNames[property.name]?.includes(last))
    return said('medium', `'${keys.at(-1)}' usually means '${property.name}'.`);
  if (property.name === 'email' && values.length > 0 && values.every((value) => /^\S+@\S+\.\S+$/.test(String(value))))
    return said('medium', 'The values look like email addresses.');
  return null;
}

export const rankOf: Readonly<Record<Confidence, number>> = { high: 3, medium: 2, low: 1 };
