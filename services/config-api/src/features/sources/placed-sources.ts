import type { ConfigDocument, Source } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import { readDraft } from '../drafts/draft-answer';
import type { SourceDeps } from './deps';
import type { PlacedSource } from './source-view';

/** The sources of a connector's draft and of its active version, by name. */
export async function placedSources(deps: SourceDeps, { id, activeVersion }: ConnectorRow): Promise<PlacedSource[]> {
  const [draft, version, states] = await Promise.all([
    readDraft(deps, id),
    activeVersion === null ? null : deps.configReader.versionSources(id, activeVersion),
    deps.store.sources.list(id),
  ]);
  const byName = (sources: readonly Source[]) => new Map(sources.map((source) => [source.name, source]));
  const [drafted, published] = [byName((draft.config as ConfigDocument).sources), byName(version?.sources ?? [])];
  const stateOf = new Map(states.map((state) => [state.name, state]));
  const names = [...new Set([...drafted.keys(), ...stateOf.keys()])].sort();
  return names.map((name) => (
    { name, drafted: drafted.get(name) ?? null, published: published.get(name) ?? null, state: stateOf.get(name) ?? null }
  ));
}
