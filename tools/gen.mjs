/**
 * `npm run gen`: writes every generated document, and says which ones it cannot write; `--check` only tells which are stale.
 * A generator is a module of tools/gen/ that exports `generator`: { name, outputs(): Promise<Map<path, content>> },
 * paths relative to the root. It reads the compiled packages (dist), which are up to date when it runs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code: 1 when something is stale, or cannot be written */
export async function main(args) {
  if (args.includes('--check')) {
    const stale = await staleDocuments();
    process.stderr.write(stale || 'Every generated file is fresh.\n');
    return stale ? 1 : 0;
  }
  const { written, problems } = await writeDocuments(root, await loadGenerators());
  process.stderr.write([...written.map((path) => `wrote ${path}\n`), ...problems].join(''));
  return problems.length > 0 ? 1 : 0;
}

/**
 * Writes what is stale below `base`. A generator that fails does not keep the others from writing.
 * @returns {Promise<{ written: string[], problems: string[] }>} `problems`: what each generator that failed said
 */
export async function writeDocuments(base, generators) {
  const { documents, problems } = await documentsOf(generators);
  const written = [];
  for (const { path, content } of documents) {
    if (isFresh(base, path, content)) continue;
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
    written.push(path);
  }
  return { written, problems };
}

/** What is stale or cannot be written, a line each, or an empty text. */
export async function staleDocuments() {
  const { documents, problems } = await documentsOf(await loadGenerators());
  const stale = documents.filter(({ path, content }) => !isFresh(root, path, content));
  return [...stale.map(({ path, name }) => `${path} is stale (generator ${name}): npm run gen\n`), ...problems].join('');
}

async function loadGenerators() {
  const folder = join(root, 'tools', 'gen');
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs')).sort();
  return Promise.all(files.map(async (file) => (await import(join(folder, file))).generator));
}

async function documentsOf(generators) {
  const [documents, problems] = [[], []];
  for (const { name, outputs } of generators) {
    try {
      for (const [path, content] of await outputs()) documents.push({ name, path, content });
    } catch (error) {
      problems.push(`the generator ${name} wrote nothing: ${error.message}\n`);
    }
  }
  return { documents, problems };
}

function isFresh(base, path, content) {
  return existsSync(join(base, path)) && readFileSync(join(base, path), 'utf8') === content;
}
