/**
 * What every npm script calls: `node tools/run.mjs <command> [args]`. Needs Node and npm alone; installs,
 * generates and compiles what changed, then hands over. A start with nothing changed adds well under a second.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { genPrisma } from './gen-prisma.mjs';
import { become } from './lib/child.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { withLock } from './lib/lock.mjs';
import { StepError } from './lib/steps.mjs';
import { readJson, root, serviceNames } from './lib/workspace.mjs';

/** Every command: what it does and how, once the workspace is ready. Each returns an exit code. */
const commands = {
  start: { words: 'start every service in one process', run: (args) => runDist('services/standalone', args) },
  service: { words: '<name>: start one service', prepare: knownService, run: ([name, ...args]) => runDist(`services/${name}`, args) },
  'crm-simulator': { words: '--port N: start the CRM stand-in', run: (args) => runDist('packages/crm-simulator', args) },
  sluice: { words: 'flow run, export verify, plugin new|test|push|promote|logs: see sluice help', run: (args) => runDist('packages/cli', args) },
  bench: { words: 'measure throughput and latency', run: (args) => runDist('bench', args) },
  build: { words: 'install, generate, compile', run: async () => 0 },
  dev: { words: 'start, and start again on every change', run: (args) => runTool('dev', args) },
  gen: { words: 'write the generated documents', run: (args) => runTool('gen', args) },
  check: { words: 'types, lint, boundaries, freshness, unit tests', run: (args) => runTool('check', args) },
  test: { words: 'everything', run: (args) => runTool('test', args) },
  sbom: { words: 'print the software bill of materials (CycloneDX)', run: (args) => runTool('sbom', args) },
  'pin-images': { words: 'write the digests of all foreign images into the files that name them', run: (args) => runTool('pin-images', args) },
  mutants: { words: 'break the product in many places; every time a test must fail', run: (args) => runTool('mutants', args) },
  simulate: { words: '[--seeds N] [--from N] [--seed N]: run the flow runner in seeded worlds; capacity: size installations', run: (args) => runTool('simulate', args) },
  chaos: { words: '[--seconds N] [--ci] [--seed N], --sources or --bulk [--rows N]: kill and restart everything under load, then count', run: (args) => runTool('chaos', args) },
  'assistant-eval': {
    words: '[part of a task\'s name ...]: score the assistant with the model that the settings name',
    run: (args) => runTool('assistant-eval', args),
  },
  'new-action': { words: '<name>: scaffold an action', run: (args) => runTool('new-action', args) },
  'new-source': { words: '<name>: scaffold a type of event source', run: (args) => runTool('new-source', args) },
  'new-route': {
    words: '<feature> <method> <path> <operation_name>: scaffold a route of the config plane',
    run: (args) => runTool('new-route', args),
  },
  'new-worker': { words: '<service> <name>: scaffold work in the background', run: (args) => runTool('new-worker', args) },
  'new-adapter': { words: '<port>-<technology> <port>: scaffold an adapter', run: (args) => runTool('new-adapter', args) },
  'new-service': { words: '<name>: scaffold a service', run: (args) => runTool('new-service', args) },
};

async function main([name, ...args]) {
  const command = commands[name];
  if (!command) throw new StepError(`Usage: node tools/run.mjs <command>\n${usage()}`);
  assertNode();
  command.prepare?.(args);
  await withLock(bootstrap);
  return command.run(args);
}

async function bootstrap() {
  await ensureInstalled();
  await genPrisma();
  await build();
}

function runDist(path, args) {
  const main = join(root, path, 'dist', 'main.js');
  if (!existsSync(main)) throw new StepError(`${path}/src/main.ts does not exist: there is nothing to run.`);
  const argv = ['--enable-source-maps', main, ...args];
  return become(process.execPath, argv, { cwd: root });
}

async function runTool(name, args) {
  const tool = await import(`./${name}.mjs`);
  return tool.main(args);
}

function knownService([name]) {
  if (!serviceNames().includes(name)) throw new StepError(`Usage: npm run service -- <name>, one of: ${serviceNames().join(', ')}`);
}

function assertNode() {
  const wanted = readJson(join(root, 'package.json')).engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new StepError(`Sluice needs Node ${wanted} or newer; this is ${process.versions.node}.`);
}

function usage() {
  return Object.entries(commands).map(([name, { words }]) => `  ${name.padEnd(14)} ${words}`).join('\n');
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof StepError ? error.message : error.stack}\n`);
    process.exit(1);
  },
);
