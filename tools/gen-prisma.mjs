/** Generates the Prisma client of store-postgres when its schema changed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runOrFail } from './lib/child.mjs';
import { hashOf, isStamped, writeStamp } from './lib/stamp.mjs';
import { step, StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const home = join(root, 'packages', 'adapters', 'store-postgres');
const schema = join(home, 'prisma', 'schema.prisma');

/** Generates unless the client on disk was made from this schema. Says so and goes on when the schema is missing. */
export async function genPrisma() {
  if (!existsSync(schema)) {
    process.stderr.write('✗ packages/adapters/store-postgres/prisma/schema.prisma is missing: nothing that needs Postgres will run.\n');
    return;
  }
  const hash = hashOf([schema, join(home, 'package.json'), join(home, 'prisma.config.ts')]);
  if (existsSync(outputFolder()) && isStamped('prisma', hash)) return;
  await step('generating the database client', async () => {
    const cli = join(home, 'node_modules', 'prisma', 'build', 'index.js');
    // `generate` runs no engine, yet refuses to start without one to name; any existing file will do (no download).
    const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
    await runOrFail(process.execPath, [cli, 'generate', '--schema', schema], { cwd: home, env });
    if (!existsSync(outputFolder())) throw new StepError(`prisma generate left nothing in ${outputFolder()}`);
    writeStamp('prisma', hash);
  });
}

/** The folder that the schema's generator block names. */
function outputFolder() {
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(schema, 'utf8'))?.[1];
  if (!output) throw new StepError('schema.prisma: the generator block names no output folder.');
  return resolve(dirname(schema), output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await genPrisma();
