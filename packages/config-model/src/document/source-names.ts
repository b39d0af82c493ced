import type { ConfigDocument } from '@sluice/contracts';
import { eventApiKey, sourceKeys } from '@sluice/flow-engine';

/**
 * The name in the config of an event's source: what records of it are listed under.
 * @param cameAs the source that the event names; those of the event API all name `event_api`
 * @param flowName the flow that the event runs; null: none
 */
export type SourceNames = (cameAs: string, flowName: string | null) => string;

/**
 * All sources of the event API are one for events (docs/reference/config-document.md, Which flow runs). So the name is the one
 * that the event's flow has, else that of the only such source; where the config does not decide, it is what the event names.
 */
export function sourceNames({ sources = [], flows }: Pick<ConfigDocument, 'sources' | 'flows'>): SourceNames {
  const keyOf = sourceKeys({ sources });
  const named = sources.filter(({ type }) => type === 'event_api').map(({ name }) => name);
  const onlyOne = named.length === 1 ? named[0] : undefined;
  const sourceOf = new Map(flows.map(({ name, source }) => [name, source]));
  return (cameAs, flowName) => {
    if (keyOf(cameAs) !== eventApiKey) return cameAs;
    const ofFlow = flowName === null ? undefined : sourceOf.get(flowName);
    return ofFlow !== undefined && named.includes(ofFlow) ? ofFlow : (onlyOne ?? cameAs);
  };
}
