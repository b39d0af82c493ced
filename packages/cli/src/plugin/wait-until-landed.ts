import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '@sluice/api-client';
import { CliError } from '../cli-error';
import { asked } from './connect';
import type { ApiPlugin } from './find-plugin';

const [everyMs, longestMs] = [250, 120_000];

/**
 * The plugin once what was asked for has landed, or has failed. Throws CliError when that takes longer than two minutes: it goes
 * on all the same.
 * @param before the plugin as it was when that was asked for
 */
export async function waitUntilLanded(api: ApiClient, before: ApiPlugin, wanted: ApiPlugin['status']): Promise<ApiPlugin> {
  const end = Date.now() + longestMs;
  for (;;) {
    const now = await asked(api.getPlugin({ params: { plugin_id: before.id } }));
    const isNew = now.updated_at !== before.updated_at;
    if (isNew && (now.status === wanted || now.status === 'error')) return now;
    if (Date.now() > end)
      throw new CliError(`It has not landed yet; the status is ${now.status}. It goes on without this command.`);
    await sleep(everyMs);
  }
}
