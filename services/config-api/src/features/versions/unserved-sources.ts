import type { Source } from '@sluice/contracts';
import { findSource, isServed } from '@sluice/sources';
import { type Finding, warning } from './publish-warnings';

/**
 * One warning for each source without effect: no service reads it, receives calls for it or sends to it. Of the locations of file
 * sources, folders are watched; objects below an `s3://` prefix are not.
 */
export function unservedSources(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ name, type, config }, index) => {
    const field = `sources.${index}`;
    const definition = findSource(type);
    if (!definition || !isServed(definition)) {
      const message = `Source '${name}' is of type ${type}, which no service serves: no events come from it, and none go to it.`;
      return [{ ...warning('source_not_served', message, 'Send events to POST /api/v1/events.'), field }];
    }
    const location = type === 'file' ? config?.['location'] : undefined;
    if (typeof location !== 'string' || !location.startsWith('s3://')) return [];
    const message = `The location of source '${name}' is not watched: no events come from objects that are put there.`;
    const upload = 'Upload files with POST /api/connectors/{connector_id}/sources/{source_name}/files.';
    return [{ ...warning('source_not_served', message, upload), field: `${field}.config.location` }];
  });
}
