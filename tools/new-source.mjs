/** `npm run new:source -- <name>`: a folder for one more type of event source, entered in the registry and in the contract. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangeSet } from './lib/change-set.mjs';
import { announce, camel, kebab, snake } from './lib/scaffold.mjs';
import { withElement, withImport, withProperty } from './lib/source-edit.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = 'packages/sources/src';
const registry = `${home}/registry.ts`;
const contract = 'packages/contracts/src/config/source-type.ts';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  const taken = sourceTypes(root);
  if (!name || !/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(name) || taken.includes(snake(name)))
    throw new StepError(`Usage: npm run new:source -- <name>, none of: ${taken.join(', ')}`);
  announce(scaffoldSource(root, name));
  process.stdout.write('Next: its schema, checks and examples, which `npm run check` runs, and its `runtime`, by which a service serves it.\n');
  return 0;
}

/** The types that exist. */
export function sourceTypes(base) {
  const list = /sourceTypes = \[(.*?)\]/s.exec(readFileSync(join(base, contract), 'utf8'))?.[1] ?? '';
  return [...list.matchAll(/'(\w+)'/g)].map(([, type]) => type);
}

/**
 * Writes the type's folder under `base`, and enters it in the contract and the registry, last in both; all of it or nothing.
 * @returns {string[]} paths made or changed
 */
export function scaffoldSource(base, name) {
  const [folder, type, value] = [kebab(name), snake(name), camel(name)];
  const changes = new ChangeSet(base);
  changes.create(`${home}/${folder}/${folder}.source.ts`, definition(type, value));
  changes.edit(contract, (source) => withElement(source, 'sourceTypes', `'${type}'`));
  changes.edit(registry, (source) =>
    withImport(withProperty(source, 'sources', entryOf(type, value)), { from: `./${folder}/${folder}.source`, name: value }));
  return changes.write();
}

const entryOf = (type, value) => (type === value ? type : `${type}: ${value}`);

function definition(type, value) {
  const words = type.replaceAll('_', ' ');
  const title = `${words[0].toUpperCase()}${words.slice(1)}`;
  const config = `${value[0].toUpperCase()}${value.slice(1)}Config`;
  return `import type { FromSchema } from 'json-schema-to-ts';
import { defineSource } from '../define-source';
import type { SourceConfigSchema } from '../field-schema';
import { eventFields } from '../shared/event-fields';
import { atMostOneOf } from '../shared/one-of-fields';

const configSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 2048, 'x-holds': 'url', description: 'Where it reads.' },
    ...eventFields,
  },
} as const satisfies SourceConfigSchema;

export type ${config} = FromSchema<typeof configSchema, { keepDefaultedPropertiesOptional: true }>;

/** What it is, in a sentence, and where that is written. */
export const ${value} = defineSource<${config}>()({
  type: '${type}',
  title: '${title}',
  description: 'What it is, for the author of a config.',
  push: false,
  direction: 'inbound',
  defaultEventType: 'received',
  configSchema,
  limits: [],
  checks: [atMostOneOf('event_type', 'event_type_path')],
  examples: [{ title: 'The least', config: { url: 'https://erp.example.com/things' } }],
});
`;
}
