/** Dependencies: finds the pinned pnpm and installs when a lock file or a package.json changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { hashOf, isStamped, writeStamp } from './stamp.mjs';
import { step, StepError } from './steps.mjs';
import { readJson, root, workspacePackages } from './workspace.mjs';

/** Installs dependencies unless the last install was of the same files. */
export async function ensureInstalled() {
  const hash = installHash();
  if (existsSync(join(root, 'node_modules', '.modules.yaml')) && isStamped('install', hash)) return;
  await step('installing dependencies', async () => {
    const [command, ...prefix] = await findPnpm();
    const args = [...prefix, 'install', '--frozen-lockfile', '--prefer-offline', '--config.confirmModulesPurge=false'];
    const result = await run(command, args, { cwd: root, show: true });
    if (result.code !== 0) throw new StepError(`pnpm install failed (exit code ${result.code}); see above.`);
    writeStamp('install', hash);
  });
}

function installHash() {
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc'].map((file) => join(root, file));
  const packages = workspacePackages().map(({ dir }) => join(dir, 'package.json'));
  return hashOf([...files, ...packages], [process.versions.modules, process.platform, process.arch]);
}

/** The command line that runs exactly the pnpm that package.json pins: PATH, then corepack, then npx. */
export async function findPnpm() {
  const version = readJson(join(root, 'package.json')).packageManager.split('@')[1].split('+')[0];
  const candidates = [['pnpm'], ['corepack', `pnpm@${version}`]];
  for (const [command, ...args] of candidates) {
    // Outside the workspace: inside, pnpm would fetch the pinned version before it answers.
    const env = { COREPACK_ENABLE_DOWNLOAD_PROMPT: '0' };
    const found = await run(command, [...args, '--version'], { cwd: '/', env, timeoutMs: 60_000 });
    if (found.code === 0 && found.output.trim().endsWith(version)) return [command, ...args];
  }
  return ['npx', '-y', `pnpm@${version}`];
}
