import { defineSource, type SourceProblem } from '../define-source';
import type { CheckedSource } from '../checked-source';
import { atMostOneOf } from '../shared/one-of-fields';
import { scheduleOf } from '../shared/schedule-of';
import { compilePoll } from './read-poll';
import { pollerSchema, type PollerConfig } from './poller-config';

/** GET requests on a schedule (docs/reference/config-document.md, Sources). */
export const poller = defineSource<PollerConfig>()({
  type: 'poller',
  title: 'Poller',
  description: 'GET requests on a schedule; follows pages; one event per element.',
  push: false,
  direction: 'inbound',
  runtime: {
    by: 'poll',
    poll: ({ name, config }) => ({
      schedule: scheduleOf(config), changedOnly: config.emit === 'changed', read: compilePoll(config, `${name}.polled`),
    }),
  },
  defaultEventType: 'polled',
  configSchema: pollerSchema,
  limits: [{ id: 'max_pages', text: 'A poll reads at most max_pages pages, 1000 by default.' }],
  checks: [atMostOneOf('event_type', 'event_type_path'), paginationHasItsFields, changesHaveAnId],
  examples: [
    { title: 'A list, every five minutes', config: { url: 'https://erp.example.com/customers', schedule: '*/5 * * * *' } },
    {
      title: 'Pages with a cursor, only what is new',
      config: {
        url: 'https://erp.example.com/orders', schedule: '*/10 * * * *', credential_name: 'erp', auth_type: 'bearer',
        items_path: '$.data', external_id_path: '$.id',
        pagination: { type: 'cursor', param: 'after', path: '$.paging.next', size_param: 'limit', size: 200 },
        cursor: { param: 'updated_since', path: '$.data[*].updated_at', initial: '2026-01-01T00:00:00Z' },
      },
    },
  ],
});

type PaginationType = NonNullable<PollerConfig['pagination']>['type'];

/** What each kind of pagination cannot do without. */
const needs: Readonly<Record<PaginationType, readonly ('param' | 'path' | 'size')[]>> = {
  link_header: [], next_url: ['path'], cursor: ['path', 'param'], page: [], offset: ['size'],
};

function paginationHasItsFields({ config: { pagination: pages } }: CheckedSource<PollerConfig>): SourceProblem[] {
  if (!pages) return [];
  return needs[pages.type].filter((field) => (pages[field] ?? null) === null).map((field) => ({
    code: 'missing', path: ['pagination', field], message: `'${field}' is required for pagination by ${pages.type}`,
  }));
}

function changesHaveAnId({ config }: CheckedSource<PollerConfig>): SourceProblem[] {
  if (config.emit !== 'changed' || config.external_id_path !== undefined) return [];
  const message = `'external_id_path' is required with emit changed: elements are compared by their external id`;
  return [{ code: 'missing', path: ['external_id_path'], message }];
}
