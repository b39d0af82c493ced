import type { Source } from '@sluice/contracts';
import { checkHeldValue } from './check-held-value';
import type { SourceProblem } from './define-source';
import type { CheckedSource } from './checked-source';
import { heldValues } from './held-values';
import { readConfig } from './read-config';
import { findSource } from './registry';

type Declared = Pick<Source, 'name' | 'type' | 'config'>;

/** Every problem of a source whose config fits its schema. */
export function* checkSource({ name, type, config }: Declared): Generator<SourceProblem> {
  const definition = findSource(type);
  if (!definition) return;
  for (const held of heldValues(definition, config ?? {})) yield* checkHeldValue(held);
  const checked: CheckedSource<never> = { name, config: readConfig(config) };
  for (const check of definition.checks) yield* check(checked);
}

/** A name or an address in the config of a source. `path` leads to it from the config. */
export interface Named {
  path: readonly (string | number)[];
  value: string;
}

/** A credential that a source names. `type`: the only type that its place takes; null: it takes any. */
export interface NamedCredential extends Named {
  type: 'api_key' | 'login' | null;
}

/** The credentials that a source names. A header of `secret_headers` is an api_key, the key of a bucket is a login. */
export function credentialsOf(source: Declared): NamedCredential[] {
  return [
    ...textsOf(source, ['credential_name']).map((named) => ({ ...named, type: null })),
    ...textsOf(source, ['login_name']).map((named) => ({ ...named, type: 'login' as const })),
    ...textsOf(source, ['credential_names']).map((named) => ({ ...named, type: 'api_key' as const })),
  ];
}

/** The URLs that a source calls. */
export function urlsOf(source: Declared): Named[] {
  return textsOf(source, ['url']);
}

/** The places that a source watches. */
export function locationsOf(source: Declared): Named[] {
  return textsOf(source, ['location']);
}

function textsOf({ type, config }: Declared, wanted: readonly string[]): Named[] {
  const definition = findSource(type);
  if (!definition) return [];
  const found = [...heldValues(definition, config ?? {})].filter(({ holds }) => wanted.includes(holds));
  return found.flatMap(({ path, value }): Named[] => {
    const entries = typeof value === 'object' ? Object.entries(value as object) : null;
    const texts = entries ? entries.map(([key, text]) => ({ path: [...path, key], value: text as unknown })) : [{ path, value }];
    return texts.filter((one): one is Named => typeof one.value === 'string' && one.value !== '');
  });
}
