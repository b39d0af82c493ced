import { findAction, type ActionPorts } from '@sluice/actions';
import type { ConfigDocument, Flow } from '@sluice/contracts';
import { compileEntity, compileFlow, compileMatcher, type CompiledFlow, type EntityLookup } from '@sluice/flow-engine';
import { sourceNames, type SourceNames } from '../document/source-names';
import { watchedProperties, type WatchedProperties } from './watched-properties';

export type CompiledMatch =
  { kind: 'flow'; flow: CompiledFlow<ActionPorts> } | { kind: 'disabled'; flow: CompiledFlow<ActionPorts> } | { kind: 'none' };

/** A published version, ready to run. It is immutable, so callers may cache it by version number. */
export interface CompiledConfig {
  config: ConfigDocument;
  entities: EntityLookup;
  /** Whether a flow of the CRM's journal sends with `freshness_check`: incoming events may then be echoes of it. */
  sendsWithFreshness: boolean;
  /** Whether a flow remembers what it writes, so that its echo in the journal is dropped. */
  suppressesEchoes: boolean;
  /** What the journal is asked to tell. */
  watched: WatchedProperties;
  /** Whether a flow takes events of the CRM's journal: what the connector writes may then cause events. */
  readsJournal: boolean;
  /** By name. */
  flows: ReadonlyMap<string, CompiledFlow<ActionPorts>>;
  /** The flow of an event, by its source's name and its concrete type. */
  match(sourceName: string, eventType: string): CompiledMatch;
  sourceName: SourceNames;
}

/** Compiles a config without problems of checkConfig. Throws on one that it would have refused. */
export function compileConfig(config: ConfigDocument): CompiledConfig {
  const entities: EntityLookup = new Map(config.entities.map((entity) => [entity.name, compileEntity(entity, config.conflicts)]));
  const flows = new Map(
    config.flows.map((flow) => [flow.name, compileFlow<ActionPorts>(flow, { entities, actions: findAction })]),
  );
  const matcher = compileMatcher(config);
  const match = (sourceName: string, eventType: string): CompiledMatch => {
    const found = matcher(sourceName, eventType);
    return found.kind === 'none' ? found : { kind: found.kind, flow: flows.get(found.flow.name)! };
  };
  const suppressesEchoes = config.flows.some(({ enabled, suppress_echo: suppress }) => enabled !== false && suppress === true);
  return {
    config, entities, sendsWithFreshness: sendsWithFreshness(config), suppressesEchoes,
    watched: watchedProperties(config), readsJournal: journalFlows(config).length > 0,
    flows, match, sourceName: sourceNames(config),
  };
}

function journalFlows({ flows, sources }: ConfigDocument): Flow[] {
  const journals = new Set((sources ?? []).filter(({ type }) => type === 'crm').map(({ name }) => name));
  return flows.filter(({ enabled, source }) => enabled !== false && journals.has(source));
}

const sendsWithFreshness = (config: ConfigDocument): boolean => journalFlows(config).some(
  ({ freshness_check: check, steps }) => check !== false && steps.some(({ action }) => action === 'post'),
);
