import { resolve } from 'node:path';
import { bundlePlugin, KitError, newPlugin, PluginSandbox, readPluginFolder, readRecordedEvents,
  type SandboxOptions } from '@sluice/plugin-kit';
import { CliError } from '../cli-error';
import { asked, type CliEnvironment, connect } from './connect';
import { type ApiPlugin, findPlugin, namedPlugin } from './find-plugin';
import { tellResults } from './tell-results';
import { waitUntilLanded } from './wait-until-landed';

/** A command of the kit as it was written. */
export type PluginArgs =
  | { verb: 'new' | 'push'; name: string }
  | { verb: 'test'; name: string; json: boolean }
  | { verb: 'promote'; name: string; target: 'staging' | 'live' }
  | { verb: 'logs'; name: string; level?: string; since?: string; json: boolean };

/** Where a command runs. */
export interface PluginContext {
  /** Relative paths are relative to it. */
  folder: string;
  env: CliEnvironment;
  out(text: string): void;
  /** For tests: how the children of the sandbox are started. */
  sandbox?: SandboxOptions;
}

/** Runs a command of the kit of authors. @returns the exit code. Throws CliError. */
export async function pluginCommand(args: PluginArgs, context: PluginContext): Promise<number> {
  try {
    return await run(args, context);
  } catch (error) {
    throw error instanceof KitError ? new CliError(error.message) : error;
  }
}

function run(args: PluginArgs, context: PluginContext): Promise<number> {
  switch (args.verb) {
    case 'new':
      return create(args.name, context);
    case 'test':
      return test(args, context);
    case 'push':
      return push(args.name, context);
    case 'promote':
      return promote(args, context);
    case 'logs':
      return logs(args, context);
  }
}

async function create(name: string, { folder, out }: PluginContext): Promise<number> {
  await newPlugin(resolve(folder, name), name);
  out(`${name} is a plugin: its handler is ${name}/src/handler.ts.\nTest it: npm run sluice -- plugin test ${name}`);
  return 0;
}

async function test({ name, json }: { name: string; json: boolean }, { folder, out, sandbox }: PluginContext): Promise<number> {
  const plugin = await readPluginFolder(resolve(folder, name));
  const [bundled, events] = [await bundlePlugin(plugin), await readRecordedEvents(plugin)];
  const open = new PluginSandbox(sandbox);
  const results = await open.run(plugin, bundled, events).finally(() => open.close());
  out(json ? JSON.stringify(results, null, 2) : tellResults(plugin.name, results));
  return results.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

async function push(name: string, { folder, env, out }: PluginContext): Promise<number> {
  const plugin = await readPluginFolder(resolve(folder, name));
  const { bundle, source } = await bundlePlugin(plugin);
  const api = connect(env, folder);
  const { name: wanted, capabilities } = plugin;
  const known = await findPlugin(api, wanted);
  const { id } = known ?? (await asked(api.createPlugin({ body: { name: wanted, capabilities } })));
  if (known) await asked(api.updatePlugin({ params: { plugin_id: id }, body: { capabilities } }));
  const form = new FormData();
  form.set('bundle', new Blob([bundle], { type: 'text/javascript' }), 'bundle.js');
  form.set('source_code', source);
  const pushed = await asked(api.pushPlugin({ params: { plugin_id: id }, form }));
  return conclude(await waitUntilLanded(api, pushed, 'dev'), out);
}

async function promote(
  { name, target }: { name: string; target: 'staging' | 'live' }, { folder, env, out }: PluginContext,
): Promise<number> {
  const api = connect(env, folder);
  const { id } = await namedPlugin(api, await nameOf(name, folder));
  const promoted = await asked(api.promotePlugin({ params: { plugin_id: id }, body: { target } }));
  return conclude(await waitUntilLanded(api, promoted, target), out);
}

async function logs(
  { name, level, since, json }: Extract<PluginArgs, { verb: 'logs' }>, { folder, env, out }: PluginContext,
): Promise<number> {
  const api = connect(env, folder);
  const { id, name: found } = await namedPlugin(api, await nameOf(name, folder));
  const query = { ...(level !== undefined && { level: level as 'info' }), ...(since !== undefined && { since }) };
  const { items } = await asked(api.getPluginLogs({ params: { plugin_id: id }, query }));
  if (json) out(JSON.stringify(items, null, 2));
  else if (items.length === 0)
    out(`${found} has logged nothing ${Object.keys(query).length > 0 ? 'of this kind' : 'yet'}.`);
  else for (const line of [...items].reverse()) out(`${line.at} ${line.level.padEnd(5)} ${line.message}`);
  return 0;
}

function conclude({ name, status, error_message: error, staging_version: staging, live_version: live }: ApiPlugin,
  out: (text: string) => void) {
  const versions = [staging === null ? null : `staging ${staging}`, live === null ? null : `live ${live}`].filter(Boolean);
  out(status === 'error' ? `✗ ${name}: ${error}`
    : `✓ ${name} is ${status}${versions.length > 0 ? ` (${versions.join(', ')})` : ''}`);
  return status === 'error' ? 1 : 0;
}

/** The name in `plugin.json` of a folder, or the name itself. */
const nameOf = (given: string, folder: string): Promise<string> =>
  readPluginFolder(resolve(folder, given)).then(({ name }) => name, (error: unknown) => {
    if (error instanceof KitError) return given;
    throw error;
  });
