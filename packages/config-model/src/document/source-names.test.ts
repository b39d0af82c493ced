import type { ConfigDocument } from '@sluice/contracts';
import { sourceNames } from './source-names';

type Sources = ConfigDocument['sources'];
const source = (name: string, type: Sources[number]['type'] = 'event_api') => ({ name, type, config: {} });

/** The flow's source in the config, or null for an event without a flow. */
const nameOf = (sources: Sources, cameAs: string, flowSource: string | null): string =>
  sourceNames({ sources, flows: flowSource === null ? [] : [{ name: 'f', source: flowSource, event_type: 't', steps: [] }] })(
    cameAs, flowSource === null ? null : 'f',
  );

describe('the name in the config of the source of an event', () => {
  test.each<[string, Sources, string | null, string]>([
    ['the only source of the event API', [source('shop')], 'shop', 'shop'],
    ['the only one, though the flow says event_api', [source('shop')], 'event_api', 'shop'],
    ['the only one, without a flow', [source('shop')], null, 'shop'],
    ['of several that of the flow', [source('shop'), source('erp')], 'erp', 'erp'],
    ['of several none, where the flow says event_api', [source('shop'), source('erp')], 'event_api', 'event_api'],
    ['of several none, without a flow', [source('shop'), source('erp')], null, 'event_api'],
    ['of several one is named event_api', [source('shop'), source('event_api')], 'event_api', 'event_api'],
    ['none is declared', [], 'event_api', 'event_api'],
    ['sources of other types do not count', [source('hook', 'webhook'), source('shop')], null, 'shop'],
  ])('of an event of the event API: %s', (_, sources, flowSource, expected) => {
    expect(nameOf(sources, 'event_api', flowSource)).toBe(expected);
  });

  test('of any other source is the one that it came with', () => {
    expect(nameOf([source('hook', 'webhook'), source('shop')], 'hook', 'hook')).toBe('hook');
    expect(nameOf([source('hook', 'webhook'), source('shop')], 'hook', null)).toBe('hook');
    expect(nameOf([source('shop')], 'a source that was removed', null)).toBe('a source that was removed');
    expect(nameOf([source('event_api', 'webhook'), source('shop')], 'event_api', null)).toBe('event_api');
  });
});
