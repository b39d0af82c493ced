import type { Source } from '@sluice/contracts';
import type { Finding } from '@sluice/config-model';
import { findSource, isServed } from '@sluice/sources';
import { warning } from './publish-warnings';

/**
 * One warning for each source without effect: no service reads it, receives calls for it or sends to it. A bucket is watched with
 * the key of its source only.
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
    if (typeof location !== 'string' || !location.startsWith('s3://')
      || typeof config?.['credential_name'] === 'string') return [];
    const message = `The location of source '${name}' is not watched without a credential_name: no events come from its objects.`;
    const advice = 'Name a login in credential_name: its username is the access key id, its password the secret access key.';
    return [{ ...warning('source_not_served', message, advice), field: `${field}.config.location` }];
  });
}
