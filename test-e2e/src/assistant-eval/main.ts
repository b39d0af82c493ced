import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer } from '@sluice/api-client';
import type { StandaloneFile } from '@sluice/standalone';
import { eventually, freePort, spawnService } from '@sluice/testkit';
import { commerceTasks } from './commerce-tasks';
import { peopleTasks } from './people-tasks';
import { runTask, type TaskScore } from './run-task';

const tasks = [...peopleTasks, ...commerceTasks];
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * `npm run assistant-eval` (docs/testing.md, Evaluation of the assistant): a fresh installation with the model that the settings
 * name. @param wanted parts of names of tasks; none: all. Answers the exit code: 0 when every task passed.
 */
async function main(wanted: readonly string[]): Promise<number> {
  if (!process.env['SLUICE_ASSISTANT_API_KEY'])
    throw new Error('SLUICE_ASSISTANT_API_KEY is needed: the evaluation asks a real model (docs/settings.md, Assistant).');
  const chosen = tasks.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`no such task; there are: ${tasks.map(({ name }) => name).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-assistant-eval-'));
  const env = {
    SLUICE_DATA_DIR: join(folder, 'data'), SLUICE_DEMO: 'off', SLUICE_LOG_LEVEL: 'warn', SLUICE_PORT: String(await freePort()),
    SLUICE_CRM_SIMULATOR_PORT: String(await freePort()),
  };
  const sluice = await spawnService('standalone', env, { readyTimeoutMs: 120_000 });
  try {
    await eventually(() => sluice.output().includes('Sluice is ready'), { timeoutMs: 120_000, everyMs: 200 });
    const file = JSON.parse(readFileSync(join(env.SLUICE_DATA_DIR, 'standalone.json'), 'utf8')) as StandaloneFile;
    const installation = {
      baseUrl: file.base_url, crmSimulatorUrl: file.crm_simulator_url!, auth: bearer(file.organization_api_key),
      crmCredentialId: file.crm_credential_id!, portalId: 1_000_001,
    };
    const scores: TaskScore[] = [];
    for (const task of chosen) {
      const score = await runTask(installation, task);
      scores.push(score);
      tell(`${score.passed ? 'passed' : 'FAILED'}  ${score.task}  (${score.toolCalls} tool calls, ${score.tokens} tokens)`);
      if (score.problem !== null) tell(`        ${score.problem}`);
    }
    const passed = scores.filter((score) => score.passed).length;
    tell(`${passed} of ${scores.length} tasks passed`);
    return passed === scores.length ? 0 : 1;
  } finally {
    await sluice.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
