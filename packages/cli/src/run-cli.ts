import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CliError } from './cli-error';
import { runFlowCommand } from './run-flow-command';

/** The output streams of the command line. */
export interface CliOutput {
  out(text: string): void;
  error(text: string): void;
}

const usage = `Usage: sluice flow run <config.json> <event.json> [--flow <name>] [--source <name>] [--json]

Runs the flow that the event leads to and shows what every step would do. Nothing is sent and no server is needed.
  <config.json>   a config document (docs/reference/config-document.md)
  <event.json>    the body of POST /api/v1/events, or {"event_type", "payload", "external_id"?, "timestamp"?}
  --flow          run this flow, whatever it waits for
  --source        the source that the event comes from (default: event_api)
  --json          the report as JSON, as a dry run answers it
Ends with 0 when the record would be completed or skipped, 1 when not, 2 when it cannot be run.`;

/** @param folder relative paths are relative to it. @returns the exit code */
export async function runCli(args: readonly string[], folder: string, { out, error }: CliOutput): Promise<number> {
  try {
    const asked = parsed(args);
    if (asked === 'help') return (out(usage), 0);
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
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const { flow, source, json, help } = values;
    if (help || positionals[0] === 'help') return 'help';
    const [noun, verb, ...files] = positionals;
    if (noun === 'flow' && verb === 'run' && files.length === 2)
      return { files, source, json, ...(flow !== undefined && { flow }) };
  } catch (problem) {
    throw new CliError(`${(problem as Error).message}\n\n${usage}`);
  }
  throw new CliError(usage);
}
