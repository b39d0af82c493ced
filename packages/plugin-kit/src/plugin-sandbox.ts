import { createLocalFunctions, type LocalFunctionsOptions } from '@sluice/functions-local';
import { type LintFinding, lintPlugin } from '@sluice/plugin-lint';
import {
  type FunctionAnswer, type FunctionLogLine, type FunctionName, type FunctionPlatform, silentLogger,
} from '@sluice/ports';
import type { BundledPlugin } from './bundle-plugin';
import { KitError } from './kit-error';
import { OneFunctionStore } from './one-function-store';
import type { PluginFolder } from './plugin-folder';
import { RecordedAnswers } from './recorded-answers';
import type { RecordedEvent } from './recorded-event';
import { missingIn } from './missing-in';

/** What came of a recorded event. */
export interface EventResult {
  file: string;
  /** Why it is not what was expected; empty: it is. */
  problems: string[];
  logs: readonly FunctionLogLine[];
  durationMs: number;
}

/** For tests that run from the sources: how the children of the sandbox are started. */
export type SandboxOptions = Pick<LocalFunctionsOptions, 'script' | 'childMemoryMb'>;

const own: FunctionName = { organizationId: 'local', pluginId: 'plugin', developerId: null };

/**
 * The sandbox of `npm start`, for plugins under test: one after the other, with their capabilities. `fetch` is answered from what
 * was recorded.
 */
export class PluginSandbox {
  private readonly answers = new RecordedAnswers();
  private readonly platform: FunctionPlatform;

  constructor(options: SandboxOptions = {}) {
    this.platform = createLocalFunctions({
      store: new OneFunctionStore(), logger: silentLogger, allowPrivateTargets: true, client: this.answers, ...options,
    });
  }

  /** Runs a plugin over its recorded events. Throws KitError when a push would refuse the bundle, or it cannot be loaded. */
  async run({ capabilities }: PluginFolder, { bundle }: BundledPlugin, events: readonly RecordedEvent[]): Promise<EventResult[]> {
    const findings = lintPlugin(bundle, capabilities);
    if (findings.length > 0) throw new KitError(['A push would refuse the bundle:', ...findings.map(told)].join('\n'));
    const deployed = await this.platform.deploy(own, bundle);
    if (!deployed.ok) throw new KitError(`The bundle cannot be loaded: ${deployed.message}`);
    const results: EventResult[] = [];
    for (const event of events) results.push(await this.runEvent(event, capabilities.http ?? []));
    return results;
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  private async runEvent({ file, payload, fetch, expect }: RecordedEvent, hosts: readonly string[]): Promise<EventResult> {
    this.answers.use(fetch);
    const answer = await this.platform.invoke({
      organizationId: own.organizationId, functionArn: this.platform.arnOf(own), qualifier: '$LATEST', payload,
      grants: { hosts, secrets: [] },
    });
    const unused = this.answers.unused.map(({ method = 'GET', url }) => `it did not call ${method} ${url}`);
    const { logs = [], durationMs = 0 } = answer as { logs?: FunctionLogLine[]; durationMs?: number };
    return { file, problems: [...problemsOf(answer, expect), ...unused], logs, durationMs };
  }
}

const told = ({ rule, message, line, excerpt }: LintFinding): string =>
  `  ${rule}, line ${line} of the bundle: ${message}\n    ${excerpt}`;

function problemsOf(answer: FunctionAnswer, expect: RecordedEvent['expect']): string[] {
  const message = 'message' in answer ? answer.message : answer.kind;
  if ('output' in expect)
    return answer.kind === 'returned' ? missingIn(answer.value ?? {}, expect.output ?? {}, 'output') : [`it failed: ${message}`];
  if (answer.kind === 'returned') return [`it was expected to fail, and returned ${JSON.stringify(answer.value)}`];
  return message.includes(expect.error) ? [] : [`it failed with '${message}', not with '${expect.error}'`];
}
