/**
 * `npm run gen`: writes every generated document; `--check` only tells which are stale.
 * A generator is a module of tools/gen/ that exports `generator`: { name, outputs(): Promise<Map<path, content>> },
 * paths relative to the root. It reads the compiled packages (dist), which are up to date when it runs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export async function main(args) {
  if (args.includes('--check')) {
    const stale = await staleDocuments();
    process.stderr.write(stale || 'Every generated file is fresh.\n');
    return stale ? 1 : 0;
  }
  for (const { path, content } of await documents()) {
    if (isFresh(path, content)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    process.stderr.write(`wrote ${path}\n`);
  }
  return 0;
}

/** What is stale, a line each, or an empty text. */
export async function staleDocuments() {
  const stale = (await documents()).filter(({ path, content }) => !isFresh(path, content));
  return stale.map(({ path, name }) => `${path} is stale (generator ${name}): npm run gen\n`).join('');
}

async function documents() {
  const folder = join(root, 'tools', 'gen');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.mjs')).sort() : [];
  const found = [];
  for (const file of files) {
    const { generator } = await import(join(folder, file));
    for (const [path, content] of await generator.outputs()) found.push({ name: generator.name, path, content });
  }
  return found;
}

function isFresh(path, content) {
  return existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === content;
}
