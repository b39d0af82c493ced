import { checkConfig, type Problem } from '@sluice/config-model';
import type { ConfigDocument, Flow } from '@sluice/contracts';
import { compileMatcher } from '@sluice/flow-engine';
import { type DryRun, dryRunFlow } from '@sluice/flow-run';
import { CliError } from './cli-error';
import { type LocalEvent, readEvents } from './read-events';
import { readJsonFile } from './read-json-file';
import { tellRun } from './tell-run';

export interface RunFlowArgs {
  config: string;
  event: string;
  /** Runs this flow, whatever the event is. */
  flow?: string;
  /** Name of the source that the event comes from. Default: the event API. */
  source: string;
  json: boolean;
}

/** Outcomes in which nothing is wrong. */
const fine: ReadonlySet<string> = new Set(['completed', 'skipped']);

/** Runs the flow that an event leads to, on stubs of the CRM and of destinations. The exit code: 0 when all went well, else 1. */
export async function runFlowCommand(args: RunFlowArgs, tell: (text: string) => void): Promise<number> {
  const config = checkedConfig(readJsonFile(args.config, 'config'), args.config);
  const events = readEvents(readJsonFile(args.event, 'event'));
  const runs: DryRun[] = [];
  for (const event of events) {
    const flow = args.flow === undefined ? flowOf(config, args.source, event) : namedFlow(config, args.flow);
    const run = await dryRunFlow(config, flow, { ...event, connectorId: 'local', storeId: event.store_id ?? null });
    runs.push(run);
    if (!args.json) tell(`${tellRun(run, event.event_type)}\n`);
  }
  if (args.json) tell(JSON.stringify(runs, null, 2));
  return runs.every(({ outcome }) => fine.has(outcome)) ? 0 : 1;
}

function checkedConfig(content: unknown, path: string): ConfigDocument {
  const problems = checkConfig(content, { moment: 'save' });
  if (problems.length > 0)
    throw new CliError(`${path} is no config that could be saved:\n${problems.map(tellProblem).join('\n')}`);
  return content as ConfigDocument;
}

const tellProblem = ({ loc, msg }: Problem): string => `  ${loc.slice(1).join('.') || 'the whole document'}: ${msg}`;

function namedFlow({ flows }: ConfigDocument, name: string): Flow {
  const flow = flows.find((one) => one.name === name);
  if (!flow) throw new CliError(`There is no flow '${name}'. The config has ${listed(flows.map((one) => one.name))}.`);
  return flow;
}

function flowOf(config: ConfigDocument, source: string, { event_type: type }: LocalEvent): Flow {
  const match = compileMatcher(config)(source, type);
  if (match.kind === 'flow') return match.flow;
  if (match.kind === 'disabled')
    throw new CliError(
      `Only the flow '${match.flow.name}' waits for '${type}', and it is disabled. Run it with --flow ${match.flow.name}.`,
    );
  const waiting = config.flows.map((flow) => `'${flow.event_type}' of '${flow.source}'`);
  throw new CliError(`No flow waits for '${type}' of '${source}'. Flows wait for ${listed(waiting)}.`);
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));
