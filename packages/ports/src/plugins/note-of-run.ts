import type { PluginCoordinates } from '@sluice/contracts';
import type { FunctionAnswer } from './function-platform';
import type { PluginRunNote } from './plugin-run-store';

/** What an invocation leaves in logs and metrics; null: nothing ran, or nothing is known of it. */
export function noteOfRun(
  { function_arn: functionArn, version }: Pick<PluginCoordinates, 'function_arn' | 'version'>,
  { connectorId, eventId }: Pick<PluginRunNote, 'connectorId' | 'eventId'>,
  answer: FunctionAnswer,
): PluginRunNote | null {
  if (answer.kind === 'missing' || answer.kind === 'busy' || answer.kind === 'interrupted') return null;
  const { durationMs, memoryMb, logs } = answer;
  const outcome = answer.kind !== 'returned' ? 'error' : isRetry(answer.value) ? 'retry' : 'ok';
  return { functionArn, version: String(version), connectorId, eventId, durationMs, memoryMb, outcome, logs };
}

const isRetry = (value: unknown): boolean => (value as { action?: unknown } | null)?.action === 'retry';
