import { randomUUID } from 'node:crypto';
import { defineWorker, type Worker } from '@sluice/background';
import type { AssistantStore, Model } from '@sluice/ports';
import { openModel, type ProductContext } from '@sluice/service-parts';
import type { AssistantDeps } from './features/assistant/deps';
import { AssistantTurns } from './features/assistant/turns/assistant-turns';
import type { ConfigApiSettings } from './settings';

type Context = ProductContext<ConfigApiSettings>;

/** The assistant: its turns under way are ended when the service stops. Without a key of a model there are none. */
export function assistantParts(
  store: AssistantStore,
  { settings, logger, lifecycle, shared }: Pick<Context, 'settings' | 'logger' | 'lifecycle' | 'shared'>,
  model: Model | null = openModel(settings),
): Pick<AssistantDeps, 'assistant' | 'assistantTurns'> {
  if (model === null) return { assistant: store, assistantTurns: null };
  const tokensPerMonth = settings.assistantTokensPerMonth === 0 ? null : settings.assistantTokensPerMonth;
  const turns = new AssistantTurns({ model, store, logger, holder: shared?.installation ?? randomUUID(), tokensPerMonth });
  lifecycle.add('assistant', () => turns.start(), () => turns.stop());
  return { assistant: store, assistantTurns: turns };
}

/** Sessions deleted in one round; the next round continues. */
const sweepBatch = 1_000;

/** Deletes conversations that nobody has continued for as long as outcomes are kept. */
export const assistantSweeps = (
  store: Pick<AssistantStore, 'sweep'>, { settings, logger }: Pick<Context, 'settings' | 'logger'>,
): Worker => defineWorker({
  name: 'assistant.sweeps', schedule: { every: settings.workerTickMs }, leaseMs: 30_000,
  run: async () => {
    const deleted = await store.sweep(settings.historyRetentionMs, sweepBatch);
    if (deleted > 0) logger.info('old conversations with the assistant are deleted', { sessions: deleted });
  },
});
