import { sourceTypes, type SourceType } from '@sluice/contracts';
import { crm } from './crm/crm.source';
import type { AnySource } from './define-source';
import { eventApi } from './event-api/event-api.source';
import { file } from './file/file.source';
import { poller } from './poller/poller.source';
import { rest } from './rest/rest.source';
import { scheduled } from './scheduled/scheduled.source';
import { webhook } from './webhook/webhook.source';

/** Every type of source, by its name. A test compares it with the folders. */
export const sources = { event_api: eventApi, webhook, poller, scheduled, crm, rest, file } as const;

/** The build fails here when a type has no definition, or a key differs from its definition's type. */
type NamedByKey = { [Type in SourceType]: { type: Type } };
sources satisfies NamedByKey;

/** The definition of a type; undefined for a name that is none. */
export function findSource(type: string): AnySource | undefined {
  return Object.hasOwn(sources, type) ? sources[type as SourceType] : undefined;
}

/** Every definition, in the order of the types. */
export function allSources(): AnySource[] {
  return sourceTypes.map((type) => sources[type]);
}
