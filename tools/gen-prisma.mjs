/** Generates the Prisma client of store-postgres when its schema changed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOrFail } from './lib/child.mjs';
import { hashOf, isStamped, writeStamp } from './lib/stamp.mjs';
import { step, StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = join(root, 'packages', 'adapters', 'store-postgres');
const folder = join(home, 'prisma', 'schema');

/** Generates unless the client on disk was made from this schema. Throws a StepError when the schema is missing. */
export async function genPrisma() {
  const files = schemaFiles();
  const hash = hashOf([...files, join(home, 'package.json'), join(home, 'prisma.config.ts')]);
  const output = outputFolder(files);
  if (existsSync(join(output, 'client.ts')) && isStamped('prisma', hash)) return;
  await step('generating the database client', async () => {
    const cli = join(home, 'node_modules', 'prisma', 'build', 'index.js');
    // `generate` runs no engine, yet refuses to start without one to name; any existing file will do (no download).
    const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
    await runOrFail(process.execPath, [cli, 'generate', '--schema', folder], { cwd: home, env });
    if (!existsSync(join(output, 'client.ts'))) throw new StepError(`prisma generate left no client.ts in ${output}`);
    writeStamp('prisma', hash);
  });
}

function schemaFiles() {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.prisma')).sort() : [];
  if (names.length === 0) throw new StepError('packages/adapters/store-postgres/prisma/schema holds no .prisma file: the checkout is incomplete.');
  return names.map((name) => join(folder, name));
}

/** The folder that the schema's generator block names. */
function outputFolder(files) {
  for (const file of files) {
    const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(file, 'utf8'))?.[1];
    if (output) return resolve(dirname(file), output);
  }
  throw new StepError('packages/adapters/store-postgres/prisma/schema: no generator block names an output folder.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  genPrisma().catch((error) => {
    process.stderr.write(`${error instanceof StepError ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
}
