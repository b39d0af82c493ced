/**
 * Compiles every package's src to dist with swc (CommonJS, ES2022, source maps). Types are checked by tsc, not here.
 * A file is compiled again only when its source's time or the compiler's settings changed; outputs without a source go.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { step, StepError } from './lib/steps.mjs';
import { root, workspacePackages } from './lib/workspace.mjs';

/** `ignoreDynamic`: import() stays a real import, so that ES-module-only libraries can be loaded. */
export const swcOptions = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022', keepClassNames: true },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/**
 * What `export * from` compiles to gives every name a getter that reads the other module by a variable name: 50 to 150 ns for each
 * use of an import, and several of them where one index exports another. The getter of the module that has the name costs 5 ns.
 * ADR 0370.
 */
const slowReExport = /get: function\(\) \{\s*return from\[k\];\s*\}/;
const ownGetter = 'get: Object.getOwnPropertyDescriptor(from, k).get ?? (() => from[k])';

/**
 * Brings every dist up to date. Prints a line only when something had to be compiled.
 * @param {{ dir: string }[]} packages folders that hold a src; default: the workspace
 * @returns {Promise<{ compiled: number, removed: number }>}
 */
export async function build(packages = workspacePackages()) {
  const plans = await Promise.all(packages.map(planPackage));
  const work = plans.flatMap((plan) => plan.stale);
  const removed = plans.flatMap((plan) => plan.removed);
  if (work.length + removed.length === 0) return { compiled: 0, removed: 0 };
  await step(`compiling ${work.length} file${work.length === 1 ? '' : 's'}`, async () => {
    await Promise.all(removed.map((path) => rm(path, { force: true })));
    await inParallel(work, 8, produce);
    await Promise.all(plans.map(writeSettingsMark));
  });
  return { compiled: work.length, removed: removed.length };
}

/** What one package needs: outputs to produce, outputs to remove. */
async function planPackage({ dir }) {
  const src = join(dir, 'src');
  const dist = join(dir, 'dist');
  const mark = join(dist, '.compiled-with');
  const sameSettings = existsSync(mark) && (await readFile(mark, 'utf8')) === settingsHash();
  const jobs = (await filesUnder(src)).filter(isShipped).map((from) => ({ from, to: join(dist, outputName(relative(src, from))) }));
  const stale = [];
  for (const job of jobs) if (!sameSettings || !(await isFresh(job))) stale.push(job);
  const wanted = new Set(jobs.flatMap(({ from, to }) => (isTypeScript(from) ? [to, `${to}.map`] : [to])).concat(mark));
  const removed = (await filesUnder(dist)).filter((path) => !wanted.has(path));
  return { stale, removed, mark, hasSources: jobs.length > 0, sameSettings };
}

function isShipped(path) {
  return !/\.(test|d)\.ts$/.test(path) && !path.endsWith('.md') && !basename(path).startsWith('.');
}

const isTypeScript = (path) => path.endsWith('.ts');
const outputName = (path) => path.replace(/\.ts$/, '.js');

/** An output carries its source's modification time: with equal times it was made from exactly this state. */
async function isFresh({ from, to }) {
  if (!existsSync(to)) return false;
  const [source, output] = await Promise.all([stat(from), stat(to)]);
  return Math.abs(source.mtimeMs - output.mtimeMs) < 2;
}

async function produce({ from, to }) {
  const { mtime } = await stat(from);
  await mkdir(dirname(to), { recursive: true });
  if (isTypeScript(from)) await compile(from, to);
  else await copyFile(from, to);
  await utimes(to, mtime, mtime);
}

async function compile(from, to) {
  const { transform } = await import('@swc/core');
  const sourceFileName = relative(dirname(to), from);
  const source = await readFile(from, 'utf8');
  const { code, map } = await transform(source, { ...swcOptions, filename: from, sourceFileName }).catch((error) => {
    throw new StepError(`${relative(root, from)} does not compile\n${error.message}`);
  });
  await writeFile(`${to}.map`, map);
  await writeFile(to, `${withOwnGetters(code, from)}\n//# sourceMappingURL=${basename(to)}.map\n`);
}

/** The compiled text with the same lines, so that the source map holds. */
function withOwnGetters(code, from) {
  if (!code.includes('function _export_star(')) return code;
  if (!slowReExport.test(code)) throw new StepError(`${relative(root, from)}: swc compiles 'export *' to something else than before`);
  return code.replace(slowReExport, (getter) => ownGetter + '\n'.repeat(getter.split('\n').length - 1));
}

async function writeSettingsMark({ mark, hasSources, sameSettings }) {
  if (!hasSources || sameSettings) return;
  await mkdir(dirname(mark), { recursive: true });
  await writeFile(mark, settingsHash());
}

function settingsHash() {
  return createHash('sha256').update(JSON.stringify([swcOptions, ownGetter, process.versions.modules])).digest('hex');
}

async function filesUnder(dir) {
  if (!existsSync(dir)) return [];
  const entries = await readdir(dir, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

async function inParallel(items, width, work) {
  const queue = [...items];
  const lane = async () => {
    for (let item = queue.pop(); item; item = queue.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  build().catch((error) => {
    process.stderr.write(`${error instanceof StepError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
}
