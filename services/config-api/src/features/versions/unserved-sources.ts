import type { Source } from '@sluice/contracts';
import { findSource, isServed } from '@sluice/sources';
import { type Finding, warning } from './publish-warnings';

/** One warning for each source without effect: no service reads it, receives calls for it or sends to it. */
export function unservedSources(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ name, type }, index) => {
    const definition = findSource(type);
    if (definition && isServed(definition)) return [];
    const message = `Source '${name}' is of type ${type}, which no service serves: no events come from it, and none go to it.`;
    return [{ ...warning('source_not_served', message, 'Send events to POST /api/v1/events.'), field: `sources.${index}` }];
  });
}
