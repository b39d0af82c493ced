import { authoredPlugin, coversHost, type Entity, type Source, type Step } from '@sluice/contracts';
import { credentialsOf, urlsOf } from '@sluice/sources';
import { entityUses } from '../findings/entity-use';
import { problem, type Loc, type Problem } from '../document/problem';
import type { Placed, ValidParts } from '../document/valid-parts';

/** Names that live outside the document. An absent set is not checked. */
export interface PublishLookups {
  /** The type of each credential that sources may name, by its name. */
  credentialTypes?: ReadonlyMap<string, string>;
  /** Hosts that a credential may be sent to, as `coversHost` reads them, by its name. A name that is absent: any host. */
  allowedHosts?: ReadonlyMap<string, readonly string[]>;
  /** Why names of plugins in the document mean nothing, by name. */
  pluginRefusals?: ReadonlyMap<string, PluginRefusal>;
}

/** Why the name of a plugin cannot be resolved. */
export interface PluginRefusal {
  type: 'unknown_plugin' | 'plugin_unresolvable';
  /** Goes on after `the plugin 'name', `: `which does not exist`. */
  why: string;
}

/**
 * Problems that only a publish refuses: plugins that cannot be resolved, undeclared sources, destinations, entities and schemas,
 * missing credentials, those of a type that cannot be used, and those that may not be sent to the host of the source.
 */
export function* checkPublishable(parts: ValidParts, lookups: PublishLookups): Generator<Problem> {
  // The event API needs no declaration: every connector has it.
  const sources = new Set(['event_api', ...parts.config.sources.map(({ name }) => name)]);
  const entities = new Map(parts.config.entities.map((entity) => [entity.name, entity]));
  for (const { index, value: flow } of parts.flows) {
    const loc = ['flows', index, 'source'];
    if (!parts.isSound(loc) || sources.has(flow.source)) continue;
    yield problem('undeclared_source', loc, `flow '${flow.name}' names the undeclared source '${flow.source}'`, flow.source);
  }
  const destinations = new Set(parts.config.sources.filter(({ type }) => type === 'rest').map(({ name }) => name));
  for (const { step, loc } of parts.steps) {
    if (step.action === 'plugin') yield* unresolvedPlugin(step, loc, lookups);
    yield* undeclaredEntities(step, loc, entities);
    yield* undeclaredDestination(step, loc, destinations);
    yield* undeclaredSchema(step, loc, entities);
  }
  for (const source of parts.sources)
    if (parts.isSound(['sources', source.index, 'config'])) yield* unusableCredentials(source, lookups);
}

type EntitiesByName = ReadonlyMap<string, Entity>;

function unresolvedPlugin(step: Step, loc: Loc, { pluginRefusals }: PublishLookups): Problem[] {
  const name = authoredPlugin(step)?.logicalName;
  const refusal = name === undefined ? undefined : pluginRefusals?.get(name);
  if (!refusal) return [];
  const path = typeof step.plugin === 'object' && step.plugin !== null ? ['plugin', 'logical_name'] : ['logical_name'];
  return [problem(refusal.type, [...loc, ...path], `step '${step.id}' names the plugin '${name}', ${refusal.why}`, name)];
}

/** Actions whose `target` may be a source of type rest. */
const restActions = ['delete', 'export_file', 'notify', 'post'];

function undeclaredDestination({ id, action, target }: Step, loc: Loc, declared: ReadonlySet<string>): Problem[] {
  if (!restActions.includes(action) || typeof target !== 'string' || target === 'crm' || declared.has(target)) return [];
  const msg = `step '${id}' names the destination '${target}', which is no declared source of type rest`;
  return [problem('undeclared_source', [...loc, 'target'], msg, target)];
}

function undeclaredSchema({ id, action, entity: name, to_schema: schema }: Step, loc: Loc, declared: EntitiesByName): Problem[] {
  if (action !== 'transform' || typeof schema !== 'string') return [];
  const entity = typeof name === 'string' ? declared.get(name) : undefined;
  if (!entity || Object.hasOwn(entity.schemas, schema)) return [];
  const msg = `step '${id}' names the schema '${schema}', which entity '${entity.name}' does not have`;
  return [problem('undeclared_schema', [...loc, 'to_schema'], msg, schema)];
}

function undeclaredEntities(step: Step, loc: Loc, declared: EntitiesByName): Problem[] {
  return entityUses(step).flatMap(({ path, name }) =>
    declared.has(name)
      ? []
      : [problem('undeclared_entity', [...loc, ...path], `step '${step.id}' names the undeclared entity '${name}'`, name)],
  );
}

function unusableCredentials({ index, value: source }: Placed<Source>, lookups: PublishLookups): Problem[] {
  const { credentialTypes, allowedHosts } = lookups;
  if (!credentialTypes) return [];
  const hosts = urlsOf(source).flatMap(({ value }) => (URL.canParse(value) ? [new URL(value)] : []));
  return credentialsOf(source).flatMap(({ path, value, type: wanted }) => {
    const loc: Loc = ['sources', index, 'config', ...path];
    const type = credentialTypes.get(value);
    const named = `source '${source.name}' names the credential '${value}'`;
    if (type === undefined) return [problem('missing_credential', loc, `${named}, which does not exist`, value)];
    if (wanted !== null && type !== wanted) {
      const msg = `${named}, which is of type ${type}; only ${wanted} can be used here`;
      return [problem('wrong_credential_type', loc, msg, value)];
    }
    const allowed = allowedHosts?.get(value);
    const elsewhere = allowed && hosts.find((host) => !coversHost(allowed, host));
    if (!elsewhere) return [];
    return [problem('credential_host_not_allowed', loc, `${named}, which may not be sent to '${elsewhere.host}'`, value)];
  });
}
