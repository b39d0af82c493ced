/** `npm run dev`: npm start, compiled and started again whenever a source file changes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { genPrisma } from './gen-prisma.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const settleMs = 150;

/** Runs until SIGINT or SIGTERM. @returns {Promise<number>} exit code of the last run */
export async function main(args) {
  let child = launch(args);
  let ending = false;
  let busy = Promise.resolve();
  const again = async () => {
    if (ending || !(await compiles())) return;
    await end(child);
    if (!ending) child = launch(args);
  };
  watchSources(() => (busy = busy.then(again)));
  return new Promise((resolve) => {
    const leave = async () => {
      if (ending) return;
      ending = true;
      await busy;
      await end(child);
      resolve(child.exitCode ?? 0);
    };
    process.on('SIGINT', leave).on('SIGTERM', leave);
  });
}

function launch(args) {
  const main = join(root, 'services', 'standalone', 'dist', 'main.js');
  return spawn(process.execPath, ['--enable-source-maps', main, ...args], { cwd: root, stdio: 'inherit' });
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

/** A compile error is printed and the running version stays. */
async function compiles() {
  try {
    await genPrisma();
    const { compiled, removed } = await build();
    return compiled + removed > 0;
  } catch (error) {
    process.stderr.write(`${error instanceof StepError ? error.message : error.stack}\n`);
    return false;
  }
}

/** Calls back once after a burst of changes under any src or prisma folder. */
function watchSources(changed) {
  let timer;
  for (const folder of ['packages', 'services']) {
    if (!existsSync(join(root, folder))) continue;
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!file || !/(^|\/)(src|prisma)\//.test(file) || /node_modules|\/generated\//.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, settleMs);
    });
  }
}
