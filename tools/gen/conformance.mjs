/**
 * docs/conformance.md: every rule of the product's specification, and the test that shows it. The rules are in tools/gen/conformance/*.mjs,
 * a file for each area. A rule names a file of tests and the beginning of a title in it; a test that is no longer there, a route
 * without a rule and an error code of a route without a rule are problems: the document cannot be written.
 * A rule that is not built has null in place of a test: whoever builds it enters the test.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as specification from '../lib/specification-words.mjs';
import { readTestTitles } from '../lib/test-titles.mjs';
import { root } from '../lib/workspace.mjs';

const load = createRequire(import.meta.url);

export const generator = {
  name: 'conformance',
  /** @returns {Promise<Map<string, string>>} */
  async outputs() {
    const contracts = load(join(root, 'packages', 'contracts', 'dist', 'index.js'));
    return new Map([['docs/conformance.md', conformanceMarkdown(await readParts(), contracts, specification)]]);
  },
};

/** The parts of the document, in the order of the numbers that their file names begin with. */
export async function readParts() {
  const folder = join(root, 'tools', 'gen', 'conformance');
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs')).sort(byNumber);
  return Promise.all(files.map(async (file) => (await import(join(folder, file))).part));
}

const byNumber = (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10) || (one < other ? -1 : 1);

/** What to do about something without a rule. */
const remedy = 'write one into a list of rules in tools/gen/conformance, with the test that shows it';

/**
 * @param {{ tests: Record<string, string>, sections: { title: string, rules: [string, string | null][] }[] }[]} parts
 *   a rule is its text and `<name of a test file> <beginning of a title>`; null: it is not built
 * @param contracts what @sluice/contracts exports
 * @param words what the specification names (tools/lib/specification-words.mjs)
 */
export function conformanceMarkdown(parts, contracts, words) {
  const problems = [];
  const sections = parts.flatMap(({ tests, sections: own }) => own.map(({ title, rules }) => {
    const rows = rules.map(([rule, test]) => `| ${rule} | ${test === null ? '**not built**' : testCell(tests, test, problems)} |`);
    return `## ${title}\n\n| Rule | Test |\n|---|---|\n${rows.join('\n')}\n`;
  }));
  problems.push(...uncovered(parts.flatMap(({ sections: own }) => own.flatMap(({ rules }) => rules)), contracts, words));
  if (problems.length > 0) throw new Error(`docs/conformance.md cannot be written:\n${problems.join('\n')}`);
  return `${head}\n${sections.join('\n')}`;
}

/** What no rule names, and what is built although the rule that names it says otherwise. */
function uncovered(rules, contracts, { routes, codes, states, limits, settings }) {
  const [all, built] = [rules, rules.filter(([, test]) => test !== null)].map((some) => some.map(([rule]) => rule).join('\n'));
  const named = new Set((all.match(/`[A-Z]+ \/[^`]*`/g) ?? []).map(shape));
  const namedBuilt = new Set((built.match(/`[A-Z]+ \/[^`]*`/g) ?? []).map(shape));
  const missing = (what, name) => `no rule names the ${what} \`${name}\`: ${remedy}`;
  const quoted = (text, word) => text.includes(`\`${word}\``);
  return [
    ...routes.filter((name) => !named.has(shape(name))).map((name) => missing('route', name)),
    ...routesOf(contracts).flatMap(({ method, path }) => {
      const name = `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
      if (!named.has(shape(name))) return [missing('route', name)];
      return namedBuilt.has(shape(name)) ? [] : [`the route \`${name}\` is built, but its rule has no test: enter it`];
    }),
    ...[...codes, ...wordsOf(contracts)].filter((code) => !quoted(all, code)).map((code) => missing('code', code)),
    ...Object.entries(states).flatMap(([of, names]) => names.filter((name) => !quoted(all, name)).map((name) => missing(`state (${of})`, name))),
    ...limits.filter((limit) => !all.includes(limit)).map((limit) => missing('limit', limit)),
    ...settings.filter((name) => !all.includes(name)).map((name) => missing('setting', name)),
  ];
}

/** The codes as answers carry them. */
const wordsOf = ({ errorCodes }) => [...new Set(Object.entries(errorCodes).map(([code, { word }]) => word ?? code))];

/** A route without the names of its parameters. */
const shape = (route) => route.replaceAll('`', '').replaceAll(/\{\w+\}/g, '{}');

/** The link to the test of a rule: `<name of a test file> <beginning of a title>`, a case of a table in its words. */
function testCell(tests, reference, problems) {
  const names = Object.keys(tests).filter((one) => reference.startsWith(`${one} `));
  // The longest one: names have spaces.
  const name = names.sort((one, other) => other.length - one.length)[0];
  if (name === undefined) return problems.push(`no file of tests for '${reference}'`);
  const [file, title] = [tests[name], reference.slice(name.length + 1)];
  if (!existsSync(join(root, file))) problems.push(`there is no ${file}`);
  else if (!titlesIn(file)(title)) problems.push(`${file} has no test '${title}': name its title, and of a table the words of a case in place of %s or $name`);
  return `[${name}](../${file}): ${title.replaceAll('|', '\\|')}`;
}

const titles = new Map();
function titlesIn(file) {
  if (!titles.has(file)) titles.set(file, readTestTitles(join(root, file)));
  return titles.get(file);
}

const isRoute = (value) => typeof value === 'object' && value !== null && 'method' in value && 'answers' in value;
const routesOf = ({ configRoutes, ingestRoutes }) => [configRoutes, ingestRoutes].flatMap((routes) => Object.values(routes ?? {}).filter(isRoute));

// Without totals: two branches that each enter a test would always conflict in them.
const head = `# What the specification asks, and the test that shows it

Written by \`npm run gen\` from \`tools/gen/conformance\`, in the order of the specification, in our own words. A rule that is not built says so.
Every route, code, state, limit and setting that the specification names (\`tools/lib/specification-words.mjs\`) or that the product has is named by a rule: \`npm run check\`
fails otherwise, and when a test that is named here is not there. That a test notices when its rule is broken is what the [mutants](testing.md#mutants) are for.
`;
