import type { Flow, Source } from '@sluice/contracts/config-document';
import { compileMatcher, type Matcher } from './matcher';

/** What is kept of the flows of a published version for those who run none. */
interface IndexedFlow extends Pick<Flow, 'name' | 'source' | 'event_type'> {
  source_type: Source['type'];
  enabled: boolean;
}

/** The matcher of a published version. */
export function indexMatcher(flows: readonly IndexedFlow[]): Matcher {
  const sources = [...new Map(flows.map(({ source, source_type }) => [source, { name: source, type: source_type }])).values()];
  return compileMatcher({
    sources,
    flows: flows.map(({ name, source, event_type, enabled }) => ({ name, source, event_type, enabled, steps: [] })),
  });
}
