/** `npm run new:action -- <name>`: a folder for a new action, entered in the closed set and in the registry. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce, camel, kebab, snake, writeNew } from './lib/scaffold.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = 'packages/actions/src';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  if (!name || !/^[a-z]+([-_][a-z]+)*$/.test(name))
    throw new StepError('Usage: npm run new:action -- <name>, for example send_message');
  announce(scaffoldAction(root, name));
  process.stdout.write(
    'Next: its schema, limits, examples and run; `npm run gen` writes its page, `npm run check` runs every example. ' +
      'The number of actions is in packages/config-model/src/derived.test.ts.\n',
  );
  return 0;
}

/**
 * Writes the action's folder under `base` and enters it in the closed set and in the registry.
 * @returns {string[]} paths made or changed
 */
export function scaffoldAction(base, name) {
  const folder = kebab(name);
  const file = `${home}/${folder}/${folder}.action.ts`;
  const registry = `${home}/registry.ts`;
  const names = `${home}/action-names.ts`;
  const read = (path) => readFileSync(join(base, path), 'utf8');
  const entered = new Map([[registry, enter(read(registry), name)], [names, enterName(read(names), snake(name))]]);
  writeNew(base, new Map([[file, actionSource(name)]]));
  for (const [path, source] of entered) writeFileSync(join(base, path), source);
  return [file, ...entered.keys()];
}

const changed = (file, words) => new StepError(`${home}/${file} has no \`${words}\` any more: adapt tools/new-action.mjs.`);

/** The closed set with one more name. */
function enterName(source, name) {
  const list = /allActionNames = \[(.*?)\]/s.exec(source)?.[1];
  if (list === undefined) throw changed('action-names.ts', 'allActionNames = [ ... ]');
  const names = [...list.matchAll(/'(\w+)'/g)].map(([, known]) => known);
  if (names.includes(name)) throw new StepError(`There is an action ${name} already.`);
  return source.replace(list, `\n${[...names, name].sort().map((known) => `  '${known}',\n`).join('')}`);
}

const actionsLiteral = /(export const actions = \{)([^}]*)(\} as const)/;

/** The registry's source with the action's import and entry, both in order. */
function enter(source, name) {
  const key = snake(name);
  const value = constName(name);
  const body = actionsLiteral.exec(source)?.[2];
  if (body === undefined) throw changed('registry.ts', 'export const actions = { ... } as const');
  const entries = new Map(body.split(',').map((entry) => entry.trim()).filter(Boolean).map((entry) => [entry.split(':')[0].trim(), entry]));
  entries.set(key, key === value ? key : `${key}: ${value}`);
  const ordered = [...entries.keys()].sort().map((entry) => entries.get(entry));
  const oneLine = ` ${ordered.join(', ')} `;
  const layout = oneLine.length < 100 ? oneLine : `\n${ordered.map((entry) => `  ${entry},\n`).join('')}`;
  const lines = source.replace(actionsLiteral, (_all, open, _body, close) => open + layout + close).split('\n');
  const last = lines.findLastIndex((line) => line.startsWith('import '));
  const imports = [...lines.slice(0, last + 1), `import { ${value} } from './${kebab(name)}/${kebab(name)}.action';`];
  return [...imports.sort(byModule), ...lines.slice(last + 1)].join('\n');
}

const byModule = (a, b) => (moduleOf(a) < moduleOf(b) ? -1 : 1);
const moduleOf = (line) => /from '([^']+)'/.exec(line)?.[1] ?? line;

/** `delete` is a word of the language. */
function constName(name) {
  return snake(name) === 'delete' ? 'deleteAction' : camel(name);
}

function actionSource(name) {
  const words = snake(name).replaceAll('_', ' ');
  return `import { done } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { charactersLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['value'],
  properties: {
    value: { type: 'string', 'x-resolve': 'template', description: 'Any text; may hold references.' },
  },
} as const satisfies StepFieldsSchema;

/** What it does, in a sentence, and where that is written. */
export const ${constName(name)} = defineAction(configSchema)({
  name: '${snake(name)}',
  title: '${words[0].toUpperCase()}${words.slice(1)}',
  description: 'What it does, for the author of a flow.',
  category: 'data',
  min_version: '3.0',
  effect: 'control',
  uses: [],
  on_repeat: 'What a second run over the same event does: delivery is at least once.',
  repeat: 'anew',
  required_checks: [{ fields: ['value'], message: '${snake(name)} requires value', mode: 'all', equals: null }],
  limits: [charactersLimit('value', 1_000)],
  rules: [],
  examples: [
    {
      title: 'A value of the payload',
      config: { value: 'order {$.payload.id}' },
      given: { entities: [], payload: { id: 17 } },
      expect: { kind: 'done', output: { value: 'order 17' } },
    },
    {
      title: 'A fixed value',
      config: { value: 'none' },
      given: { entities: [], payload: {} },
      expect: { kind: 'done', output: { value: 'none' } },
    },
  ],
  touches: () => ({ writes: [], reads: [] }),
  run: async ({ config }) => done({ value: config.value }),
});
`;
}
