/**
 * docs/conformance.md: every rule of the product's specification, and the test that shows it. The rules are in tools/gen/conformance/*.mjs,
 * a file for each area. A rule names a file of tests and the beginning of a title in it; a test that is no longer there, a route
 * without a rule and an error code of a route without a rule are problems: the document cannot be written.
 * A rule that is not built has null in place of a test: whoever builds it enters the test.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../lib/workspace.mjs';

const load = createRequire(import.meta.url);

export const generator = {
  name: 'conformance',
  /** @returns {Promise<Map<string, string>>} */
  async outputs() {
    const contracts = load(join(root, 'packages', 'contracts', 'dist', 'index.js'));
    return new Map([['docs/conformance.md', conformanceMarkdown(await readParts(), contracts)]]);
  },
};

/** The parts of the document, in the order of the numbers that their file names begin with. */
export async function readParts() {
  const folder = join(root, 'tools', 'gen', 'conformance');
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs')).sort(byNumber);
  return Promise.all(files.map(async (file) => (await import(join(folder, file))).part));
}

const byNumber = (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10) || (one < other ? -1 : 1);

/** What to do about a route or an error code without a rule. */
const remedy = 'write one into a list of rules in tools/gen/conformance, with the test that shows it';

/**
 * @param {{ tests: Record<string, string>, sections: { title: string, rules: [string, string | null][] }[] }[]} parts
 *   a rule is its text and `<name of a test file> <beginning of a title>`; null: it is not built
 * @param contracts what @sluice/contracts exports
 */
export function conformanceMarkdown(parts, contracts) {
  const problems = [];
  const sections = parts.flatMap(({ tests, sections: own }) => own.map(({ title, rules }) => {
    const rows = rules.map(([rule, test]) => `| ${rule} | ${test === null ? '**not built**' : testCell(tests, test, problems)} |`);
    return `## ${title}\n\n| Rule | Test |\n|---|---|\n${rows.join('\n')}\n`;
  }));
  const text = parts.flatMap(({ sections: own }) => own.flatMap(({ rules }) => rules.map(([rule]) => rule))).join('\n');
  for (const { method, path } of routesOf(contracts)) {
    const name = `\`${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``;
    if (!text.includes(name)) problems.push(`no rule names the route ${name}: ${remedy}`);
  }
  for (const code of codesOf(contracts)) if (!text.includes(`\`${code}\``)) problems.push(`no rule names the error code \`${code}\`: ${remedy}`);
  if (problems.length > 0) throw new Error(`docs/conformance.md cannot be written:\n${problems.join('\n')}`);
  return `${head}\n${sections.join('\n')}`;
}

function testCell(tests, reference, problems) {
  const names = Object.keys(tests).filter((one) => reference.startsWith(`${one} `));
  // The longest one: names have spaces.
  const name = names.sort((one, other) => other.length - one.length)[0];
  if (name === undefined) return problems.push(`no file of tests for '${reference}'`);
  const [file, title] = [tests[name], reference.slice(name.length + 1)];
  if (!existsSync(join(root, file))) problems.push(`there is no ${file}`);
  else if (!source(file).includes(title)) problems.push(`${file} has no test '${title}'`);
  return `[${name}](../${file}): ${title.replaceAll('|', '\\|')}`;
}

const sources = new Map();
function source(file) {
  if (!sources.has(file)) sources.set(file, readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'"));
  return sources.get(file);
}

const isRoute = (value) => typeof value === 'object' && value !== null && 'method' in value && 'answers' in value;
const routesOf = ({ configRoutes }) => Object.values(configRoutes).filter(isRoute).filter(({ path }) => !path.startsWith('/operator'));
const codesOf = (contracts) => new Set(routesOf(contracts).flatMap(({ errors }) => errors));

// Without totals: two branches that each enter a test would always conflict in them.
const head = `# What the specification asks, and the test that shows it

Written by \`npm run gen\` from \`tools/gen/conformance\`, in the order of the specification, in our own words. A rule that is not built says so.
Every route and every error code that a route of the config plane may answer is named by a rule: \`npm run check\` fails
otherwise, and when a test that is named here is no longer there. That a test notices when its rule is broken is what the
[mutants](testing.md#mutants) are for.
`;
