import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pluginTargets } from '@sluice/contracts';
import { packageLines, type PackageReader } from '@sluice/data-package';
import { CliError } from '../cli-error';
import { listAll } from './list-all';
import type { Restoration } from './restoration';

/** A plugin of a package, as far as it is restored. */
export interface PluginLine {
  name: string;
  capabilities: object;
  staging_version: number | null;
  live_version: number | null;
  bundle_sha256: string | null;
}
type Plugin = Awaited<ReturnType<Restoration['client']['getPlugin']>>;

/** For a deployment or a promotion: how often and how long it is waited for. */
const [lookMs, looks] = [250, 480];

/** A plugin of the package, and that of the organization which an earlier run has made of it. */
export interface PluginPair {
  line: PluginLine;
  known: Plugin | undefined;
}

/** @throws CliError when the organization has a plugin that the package does not have */
export async function pairPlugins({ reader, client }: Restoration): Promise<PluginPair[]> {
  const known = new Map((await listAll(client.listPlugins)).map((plugin) => [plugin.name, plugin]));
  const pairs: PluginPair[] = [];
  for await (const one of packageLines(reader, 'plugins/plugins.jsonl')) {
    const line = one as unknown as PluginLine;
    pairs.push({ line, known: known.get(line.name) });
    known.delete(line.name);
  }
  const [foreign] = known.keys();
  if (foreign !== undefined)
    throw new CliError(`The organization is not empty: it has the plugin "${foreign}", which the package does not have.`);
  return pairs;
}

/** Makes a plugin, pushes its code and promotes it as far as it was. One that is there goes on. */
export async function restorePlugin(restoration: Restoration, pair: PluginPair): Promise<void> {
  const { report } = restoration;
  const name = `plugin "${pair.line.name}"`;
  const plugin = await report.part(name, () => broughtForward(restoration, pair));
  if (plugin?.status === 'error') report.problem(`${name}: ${plugin.error_message ?? 'error'}`);
  else if (plugin) report.done(`${name} (${plugin.status})`);
}

async function broughtForward({ reader, client }: Restoration, { line, known }: PluginPair): Promise<Plugin> {
  let plugin = known ?? (await client.createPlugin({ body: { name: line.name, capabilities: line.capabilities } }));
  const { id } = plugin;
  if (line.bundle_sha256 !== null && plugin.bundle_sha256 !== line.bundle_sha256) {
    await client.pushPlugin({ params: { plugin_id: id }, form: await codeOf(reader, line.name) });
    plugin = await settled(client, id, ({ last_deployed_at: at }) => at !== null);
  }
  for (const target of pluginTargets) {
    const version = `${target}_version` as const;
    if (line[version] === null || plugin[version] !== null || plugin.status === 'error') continue;
    await client.promotePlugin({ params: { plugin_id: id }, body: { target } });
    plugin = await settled(client, id, (now) => now[version] !== null);
  }
  return plugin;
}

/** The code of a plugin as the form of a push. */
async function codeOf(reader: PackageReader, name: string): Promise<FormData> {
  const form = new FormData();
  for (const { path, plugin, format } of reader.files.values()) {
    if (plugin !== name) continue;
    const code = await buffer(Readable.from(reader.bytes(path)));
    if (format === 'javascript') form.set('bundle', new Blob([new Uint8Array(code)], { type: 'text/javascript' }), 'bundle.js');
    else form.set('source_code', String(code));
  }
  return form;
}

/** The plugin once what was asked for has landed or failed; as it is when that takes too long. */
async function settled(client: Restoration['client'], id: string, landed: (plugin: Plugin) => boolean): Promise<Plugin> {
  for (let look = 1; ; look += 1) {
    const plugin = await client.getPlugin({ params: { plugin_id: id } });
    if (landed(plugin) || plugin.status === 'error' || look === looks) return plugin;
    await sleep(lookMs);
  }
}
