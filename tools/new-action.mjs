/** `npm run new:action -- <name>`: a folder for one action of the closed set, entered in the registry. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce, camel, kebab, snake, writeNew } from './lib/scaffold.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = 'packages/actions/src';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  const open = openActionNames(root);
  if (!name || !open.includes(snake(name))) throw new StepError(`Usage: npm run new:action -- <name>, one of: ${open.join(', ')}`);
  process.stdout.write('Made:\n');
  announce(scaffoldAction(root, name));
  process.stdout.write('Next: its schema, examples and run; `npm run check` runs every example.\n');
  return 0;
}

/** Names of the closed set (action-names.ts) that the registry does not have yet. */
export function openActionNames(base) {
  const list = /allActionNames = \[(.*?)\]/s.exec(read(base, 'action-names.ts'))?.[1] ?? '';
  const taken = registryKeys(read(base, 'registry.ts'));
  return [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name).filter((name) => !taken.includes(name));
}

/**
 * Writes the action's folder under `base` and enters it in the registry.
 * @returns {string[]} paths made or changed
 */
export function scaffoldAction(base, name) {
  const folder = kebab(name);
  const file = `${home}/${folder}/${folder}.action.ts`;
  const registry = `${home}/registry.ts`;
  const entered = enter(readFileSync(join(base, registry), 'utf8'), name);
  writeNew(base, new Map([[file, actionSource(name)]]));
  writeFileSync(join(base, registry), entered);
  return [file, registry];
}

const read = (base, file) => readFileSync(join(base, home, file), 'utf8');
const actionsLiteral = /(export const actions = \{)([^}]*)(\} as const)/;

function registryKeys(source) {
  const body = actionsLiteral.exec(source)?.[2];
  if (body === undefined) throw new StepError(`${home}/registry.ts has no \`export const actions = { ... } as const\` any more: adapt tools/new-action.mjs.`);
  return body.split(',').map((entry) => entry.split(':')[0].trim()).filter(Boolean);
}

/** The registry's source with the action's import and entry, both in order. */
function enter(source, name) {
  const key = snake(name);
  const value = constName(name);
  const entries = new Map(actionsLiteral.exec(source)[2].split(',').map((entry) => entry.trim()).filter(Boolean).map((entry) => [entry.split(':')[0].trim(), entry]));
  entries.set(key, key === value ? key : `${key}: ${value}`);
  const ordered = [...entries.keys()].sort().map((entry) => entries.get(entry));
  const oneLine = ` ${ordered.join(', ')} `;
  const body = oneLine.length < 100 ? oneLine : `\n${ordered.map((entry) => `  ${entry},\n`).join('')}`;
  const lines = source.replace(actionsLiteral, (_all, open, _body, close) => open + body + close).split('\n');
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
  const type = camel(name).replace(/^./, (letter) => letter.toUpperCase());
  return `import { done } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';

const configSchema = {
  type: 'object',
  properties: {
    value: { type: 'string', maxLength: 1000, 'x-resolve': 'template', description: 'Any text; may hold references.' },
  },
} as const satisfies StepFieldsSchema;

/** As the author writes it; the resolved form is the same here. */
interface ${type}Config {
  value?: string;
}

/** What it does, in a sentence, and where that is written. */
export const ${constName(name)} = defineAction<${type}Config, ${type}Config>()({
  name: '${snake(name)}',
  title: '${words[0].toUpperCase()}${words.slice(1)}',
  description: 'What it does, for the author of a flow.',
  category: 'data',
  min_version: '3.0',
  effect: 'control',
  uses: [],
  on_repeat: 'What a second run over the same event does: delivery is at least once.',
  configSchema,
  required_checks: [{ fields: ['value'], message: '${snake(name)} requires value', mode: 'all', equals: null }],
  limits: [],
  checks: [],
  examples: [
    {
      title: 'A value of the payload',
      config: { value: 'order {$.payload.id}' },
      given: { entities: [], payload: { id: 17 } },
      expect: { kind: 'done', output: { value: 'order 17' } },
    },
  ],
  touches: () => ({ writes: [], reads: [] }),
  run: async ({ config }) => done({ value: config.value ?? null }),
});
`;
}
