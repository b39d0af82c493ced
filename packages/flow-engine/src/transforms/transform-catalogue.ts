import { contactTransforms } from './contact-transforms';
import { dateTransforms } from './date-transforms';
import { encodingTransforms } from './encoding-transforms';
import { listTransforms } from './list-transforms';
import { numberTransforms } from './number-transforms';
import { patternTransforms } from './pattern-transforms';
import { textTransforms } from './text-transforms';
import type { TransformDefinition } from './transform';
import { valueTransforms } from './value-transforms';

/** Every transform (docs/reference/config-document.md, Transforms). */
export const transformCatalogue: readonly TransformDefinition[] = [
  ...textTransforms,
  ...patternTransforms,
  ...encodingTransforms,
  ...numberTransforms,
  ...dateTransforms,
  ...contactTransforms,
  ...listTransforms,
  ...valueTransforms,
];

const byName = new Map(transformCatalogue.map((transform) => [transform.name, transform]));

/** A transform by its name. */
export function findTransform(name: string): TransformDefinition | undefined {
  return byName.get(name);
}
