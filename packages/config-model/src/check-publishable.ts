import type { Source, Step } from '@sluice/contracts';
import { credentialsOf } from '@sluice/sources';
import { problem, type Loc, type Problem } from './problem';
import type { Placed, ValidParts } from './valid-parts';

/** Names that live outside the document. An absent set is not checked. */
export interface PublishLookups {
  /** Names of the connector's credentials. */
  credentialNames?: ReadonlySet<string>;
}

/** Problems that only a publish refuses: undeclared sources and entities, missing credentials. */
export function* checkPublishable(parts: ValidParts, lookups: PublishLookups): Generator<Problem> {
  // The event API needs no declaration: every connector has it.
  const sources = new Set(['event_api', ...parts.config.sources.map(({ name }) => name)]);
  const entities = new Set(parts.config.entities.map(({ name }) => name));
  for (const { index, value: flow } of parts.flows) {
    const loc = ['flows', index, 'source'];
    if (!parts.isSound(loc) || sources.has(flow.source)) continue;
    yield problem('undeclared_source', loc, `flow '${flow.name}' names the undeclared source '${flow.source}'`, flow.source);
  }
  for (const { step, loc } of parts.steps) yield* undeclaredEntities(step, loc, entities);
  for (const source of parts.sources)
    if (parts.isSound(['sources', source.index, 'config'])) yield * missingCredentials(source, lookups);
}

function undeclaredEntities(step: Step, loc: Loc, declared: ReadonlySet<string>): Problem[] {
  return entityNames(step).flatMap(({ path, name }) =>
    declared.has(name)
      ? []
      : [problem('undeclared_entity', [...loc, ...path], `step '${step.id}' names the undeclared entity '${name}'`, name)],
  );
}

function entityNames(step: Step): { path: Loc; name: string }[] {
  const direct = ['entity', 'from_entity', 'to_entity'].map((field) => ({ path: [field], name: step[field] }));
  const associations = Array.isArray(step.associations) ? (step.associations as { to_entity?: unknown }[]) : [];
  const nested = associations.map((entry, index) => ({ path: ['associations', index, 'to_entity'], name: entry?.to_entity }));
  return [...direct, ...nested].filter((one): one is { path: (string | number)[]; name: string } => typeof one.name === 'string');
}

function missingCredentials({ index, value: source }: Placed<Source>, { credentialNames }: PublishLookups): Problem[] {
  if (!credentialNames) return [];
  const missing = credentialsOf(source).filter(({ value }) => !credentialNames.has(value));
  return missing.map(({ path, value }) => {
    const msg = `source '${source.name}' names the credential '${value}', which does not exist`;
    return problem('missing_credential', ['sources', index, 'config', ...path], msg, value);
  });
}
