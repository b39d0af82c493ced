import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CliError } from './cli-error';
import { importCommand } from './import-command';
import type { CliEnvironment } from './plugin/connect';
import { type PluginArgs, pluginCommand } from './plugin/plugin-command';
import { pluginHelp, pluginUsage } from './plugin/plugin-usage';
import { runFlowCommand } from './run-flow-command';
import { verifyExportCommand } from './verify-export-command';

/** The output streams of the command line. */
export interface CliOutput {
  out(text: string): void;
  error(text: string): void;
}

const usage = `Usage:
  sluice flow run <config.json> <event.json> [--flow <name>] [--source <name>] [--json]
  sluice export verify <package.zip> [--json]
  sluice import <package.zip> --url <address of the installation> [--json]
${pluginUsage}

flow run: runs the flow that the event leads to and shows what every step would do. Nothing is sent and no server is needed.
  <config.json>   a config document (docs/reference/config-document.md)
  <event.json>    the body of POST /api/v1/events, or {"event_type", "payload", "external_id"?, "timestamp"?}
  --flow          run this flow, whatever it waits for
  --source        the source that the event comes from (default: event_api)
  --json          the report as JSON, as a dry run answers it
Ends with 0 when the record would be completed or skipped, 1 when not, 2 when it cannot be run.

export verify: compares every file of the package of a data export with its manifest (size, SHA-256, number of records), and every
line with the schema of its file. Ends with 0 when it is whole, 1 when not, 2 when there is no such file.

import: restores connectors, configuration, plugins and identity mappings of a package into an empty organization, through its API. The
organization's key is read from SLUICE_API_KEY. It may be run again: what is missing follows. Ends with 0 when all was restored, 1 when
not, 2 when it cannot begin.

${pluginHelp}`;

/**
 * @param folder relative paths are relative to it
 * @param env where keys are read from
 * @returns the exit code
 */
export async function runCli(
  args: readonly string[], folder: string, { out, error }: CliOutput, env: CliEnvironment = {},
): Promise<number> {
  try {
    const asked = parsed(args);
    if (asked === 'help') return (out(usage), 0);
    if (asked.command === 'export verify')
      return await verifyExportCommand({ path: resolve(folder, asked.path), json: asked.json }, out);
    if (asked.command === 'import') {
      const [path, url, key] = [resolve(folder, asked.path), baseUrlOf(asked.url), keyOf(env)];
      return await importCommand({ path, url, key, json: asked.json }, out);
    }
    if (asked.command === 'plugin') return await pluginCommand(asked.args, { folder, env, out });
    const [config, event] = asked.files.map((file) => resolve(folder, file)) as [string, string];
    return await runFlowCommand({ ...asked, config, event }, out);
  } catch (problem) {
    if (!(problem instanceof CliError)) throw problem;
    error(problem.message);
    return 2;
  }
}

function parsed(args: readonly string[]) {
  const options = {
    flow: { type: 'string' }, source: { type: 'string', default: 'event_api' }, json: { type: 'boolean', default: false },
    url: { type: 'string' },
    help: { type: 'boolean', default: false }, target: { type: 'string', default: 'live' }, level: { type: 'string' },
    since: { type: 'string' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const { flow, source, json, url, help } = values;
    if (help || positionals[0] === 'help') return 'help';
    const [noun, verb, ...files] = positionals;
    if (noun === 'flow' && verb === 'run' && files.length === 2)
      return { command: 'flow run' as const, files, source, json, ...(flow !== undefined && { flow }) };
    if (noun === 'export' && verb === 'verify' && files.length === 1)
      return { command: 'export verify' as const, path: files[0]!, json };
    if (noun === 'import' && verb !== undefined && files.length === 0)
      return { command: 'import' as const, path: verb, url, json };
    const plugin = noun === 'plugin' && files.length === 1 ? pluginArgs(verb, files[0]!, values) : null;
    if (plugin) return { command: 'plugin' as const, args: plugin };
  } catch (problem) {
    if (problem instanceof CliError) throw problem;
    throw new CliError(`${(problem as Error).message}\n\n${usage}`);
  }
  throw new CliError(usage);
}

/** @throws CliError for what is no address of an installation */
function baseUrlOf(url: string | undefined): string {
  if (url === undefined) throw new CliError(`Say where with --url.\n\n${usage}`);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new CliError(`--url is no http(s) address: ${url}`);
  return url.replace(/\/+$/, '');
}

/** A key in the arguments would stand in the list of processes. @throws CliError */
function keyOf({ SLUICE_API_KEY: key }: CliEnvironment): string {
  if (key === undefined || key === '') throw new CliError('SLUICE_API_KEY must hold a key of the organization.');
  return key;
}

interface PluginOptions {
  json: boolean;
  target: string;
  level?: string | undefined;
  since?: string | undefined;
}

/** null: there is no such command of the kit. Throws CliError for another target. */
function pluginArgs(verb: string | undefined, name: string, { json, target, level, since }: PluginOptions): PluginArgs | null {
  switch (verb) {
    case 'new':
    case 'push':
      return { verb, name };
    case 'test':
      return { verb, name, json };
    case 'promote':
      if (target !== 'staging' && target !== 'live') throw new CliError(`--target is staging or live, not '${target}'.`);
      return { verb, name, target };
    case 'logs':
      return { verb, name, json, ...(level !== undefined && { level }), ...(since !== undefined && { since }) };
    default:
      return null;
  }
}
