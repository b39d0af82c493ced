import type { ConfigDocument, Entity, Source } from '@sluice/contracts';

/** What a plugin is told of the config around its step. */
export interface ConfigIndexes {
  entities_index: Record<string, EntityFacts>;
  sources_index: Record<string, SourceFacts>;
}

interface EntityFacts {
  name: string;
  /** Of its CRM schema; null: it has none. */
  object_type: string | null;
  identity_property: string | null;
  schemas: string[];
}

interface SourceFacts {
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Made once for each version: a config may have hundreds of entities. */
const known = new WeakMap<ConfigDocument, ConfigIndexes>();

/** Entities and sources of a config by their names, without anything that has to do with credentials. */
export function configIndexes(config: ConfigDocument): ConfigIndexes {
  const found = known.get(config);
  if (found) return found;
  const made = {
    entities_index: Object.fromEntries(config.entities.map((entity) => [entity.name, entityFacts(entity)])),
    sources_index: Object.fromEntries(config.sources.map((source) => [source.name, sourceFacts(source)])),
  };
  known.set(config, made);
  return made;
}

const entityFacts = ({ name, schemas }: Entity): EntityFacts => ({
  name, object_type: schemas.crm?.object_type ?? null, identity_property: schemas.crm?.identity?.property ?? null,
  schemas: Object.keys(schemas),
});

const ofCredentials = /credential|secret|password|token|^auth_/i;

const sourceFacts = ({ name, type, config = {} }: Source): SourceFacts => ({
  name, type, config: Object.fromEntries(Object.entries(config).filter(([field]) => !ofCredentials.test(field))),
});
