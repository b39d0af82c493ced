/** `npm run new:action -- <name>`: a folder for a new action, entered in the closed set and in the registry. */
import { ChangeSet } from './lib/change-set.mjs';
import { announce, camel, kebab, snake } from './lib/scaffold.mjs';
import { withElement, withImport, withProperty } from './lib/source-edit.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = 'packages/actions/src';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  if (!name || !/^[a-z]+([-_][a-z]+)*$/.test(name))
    throw new StepError('Usage: npm run new:action -- <name>, for example send_message');
  announce(scaffoldAction(root, name));
  process.stdout.write('Next: its schema, limits, examples and run; `npm run gen` writes its page, `npm run check` runs every example.\n');
  return 0;
}

/**
 * Writes the action's folder under `base` and enters it in the closed set and in the registry, all of it or nothing.
 * @returns {string[]} paths made or changed
 */
export function scaffoldAction(base, name) {
  const [folder, key, value] = [kebab(name), snake(name), constName(name)];
  const changes = new ChangeSet(base);
  changes.create(`${home}/${folder}/${folder}.action.ts`, actionSource(name));
  changes.edit(`${home}/action-names.ts`, (source) => withElement(source, 'allActionNames', `'${key}'`, 'in order'));
  changes.edit(`${home}/registry.ts`, (source) => {
    const entered = withProperty(source, 'actions', key === value ? key : `${key}: ${value}`, 'in order');
    return withImport(entered, { from: `./${folder}/${folder}.action`, name: value });
  });
  return changes.write();
}

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
