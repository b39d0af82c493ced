import type { When } from '@sluice/contracts/config-document';
import { compileReference, type Reference } from './reference';

/** What a condition reads: a reference, or the step that `found` names. */
export interface WhenRead {
  /** From the condition to the text. */
  path: (string | number)[];
  text: string;
  /** null for `found`. */
  reference: Reference | null;
}

/** Everything that a condition reads. `when` compiles: see compileWhen. */
export function whenReads(when: When): WhenRead[] {
  if ('found' in when) return [{ path: ['found'], text: when.found, reference: null }];
  if ('exists' in when) return [referenceAt(['exists'], when.exists)];
  if ('not' in when) return below('not', whenReads(when.not));
  if ('all' in when) return when.all.flatMap((inner, index) => below('all', below(index, whenReads(inner))));
  return Object.entries(when).map(([key, { path }]: [string, { path: string }]) => referenceAt([key, 'path'], path));
}

const referenceAt = (path: WhenRead['path'], text: string): WhenRead => ({ path, text, reference: compileReference(text) });

const below = (key: string | number, reads: WhenRead[]): WhenRead[] =>
  reads.map((read) => ({ ...read, path: [key, ...read.path] }));
