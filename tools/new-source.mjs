/** `npm run new:source -- <name>`: a folder for one more type of event source, entered in the registry and in the contract. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce, camel, kebab, snake, writeNew } from './lib/scaffold.mjs';
import { withImports } from './lib/sorted-lines.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = 'packages/sources/src';
const registry = `${home}/registry.ts`;
const contract = 'packages/contracts/src/source-type.ts';

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
 * Writes the type's folder under `base`, and enters it in the contract and the registry, last in both.
 * @returns {string[]} paths made or changed
 */
export function scaffoldSource(base, name) {
  const [folder, type, value] = [kebab(name), snake(name), camel(name)];
  const file = `${home}/${folder}/${folder}.source.ts`;
  const read = (path) => readFileSync(join(base, path), 'utf8');
  const entered = withEntry(read(registry), /(export const sources = \{)([^}]*)(\} as const;)/, entryOf(type, value), registry);
  const typed = withEntry(read(contract), /(export const sourceTypes = \[)([^\]]*)(\] as const;)/, `'${type}'`, contract);
  writeNew(base, new Map([[file, definition(type, value)]]));
  writeFileSync(join(base, registry), withImports(entered, `import { ${value} } from './${folder}/${folder}.source';`));
  writeFileSync(join(base, contract), typed);
  return [file, registry, contract];
}

const maxColumns = 130;

/** The source with one more entry of a list: on one line while it fits, else each on its own. */
function withEntry(source, list, entry, file) {
  const [whole, open, body, close] = list.exec(source) ?? [];
  if (whole === undefined) throw new StepError(`${file} has no list of sources any more: adapt tools/new-source.mjs.`);
  const entries = [...body.split(',').map((one) => one.trim()).filter(Boolean), entry];
  const space = open.endsWith('{') ? ' ' : '';
  const oneLine = `${open}${space}${entries.join(', ')}${space}${close}`;
  const layout = oneLine.length <= maxColumns ? oneLine : `${open}\n${entries.map((one) => `  ${one},\n`).join('')}${close}`;
  return source.replace(whole, () => layout);
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
