/** `npm run new:adapter -- <port-technology> <port>`: a package that implements a port and runs the suite of that port. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { adapterTemplate } from './lib/adapter-template.mjs';
import { ChangeSet } from './lib/change-set.mjs';
import { run } from './lib/child.mjs';
import { findPnpm } from './lib/install.mjs';
import { announce, camel } from './lib/scaffold.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

const portsHome = 'packages/ports/src';

/** @returns {Promise<number>} exit code */
export async function main([name, port]) {
  const known = ports(root);
  if (!name || !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name) || !known.includes(port))
    throw new StepError(`Usage: npm run new:adapter -- <port>-<technology> <port>, the port one of: ${known.join(', ')}`);
  announce(scaffoldAdapter(root, name, port));
  const [command, ...prefix] = await findPnpm();
  const install = [...prefix, 'install', '--no-frozen-lockfile', '--prefer-offline'];
  const { code } = await run(command, install, { cwd: root, show: true });
  if (code !== 0) throw new StepError('pnpm install failed; see above. The folder is made, the lock file does not know it yet.');
  process.stdout.write(
    'Next: its methods, until the suite passes; its SDK in .dependency-cruiser.cjs (home); the setting that picks it in ' +
      'packages/service-parts/src/parts/open-parts.ts.\n',
  );
  return 0;
}

/** Ports that have a suite and one interface of their name. */
export function ports(base) {
  const suites = readdirSync(join(base, portsHome, 'testing'), { recursive: true }).flatMap((file) => /([^\\/]*)-conformance\.ts$/.exec(file)?.[1] ?? []);
  return suites.filter((port) => fileOfPort(base, port) !== undefined);
}

/** The path of a port's interface, which lies at the root or in a folder of its subject; undefined: there is none. */
function fileOfPort(base, port) {
  const folders = readdirSync(join(base, portsHome), { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'testing');
  return ['', ...folders.map(({ name }) => name)].map((folder) => join(base, portsHome, folder, `${port}.ts`)).find((path) => existsSync(path));
}

/** Writes `packages/adapters/<name>` under `base`. @returns {string[]} paths made */
export function scaffoldAdapter(base, name, port) {
  const camelPort = camel(port);
  const interfaceName = camelPort[0].toUpperCase() + camelPort.slice(1);
  const members = membersOf(readFileSync(fileOfPort(base, port), 'utf8'), interfaceName);
  const template = adapterTemplate({ name, port, interfaceName, members });
  const changes = new ChangeSet(base);
  for (const [path, content] of template) changes.create(`packages/adapters/${name}/${path}`, content);
  return changes.write();
}

/** Names of an interface's methods, with those of the interfaces of the same file that it extends. */
function membersOf(source, interfaceName) {
  const file = ts.createSourceFile('port.ts', source, ts.ScriptTarget.ES2022);
  const declared = file.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === interfaceName);
  if (!declared) throw new StepError(`The port has no interface ${interfaceName}.`);
  const above = (declared.heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression.text));
  const inherited = above.flatMap((name) => membersOf(source, name));
  return [...inherited, ...declared.members.map(({ name }) => name.text)];
}
