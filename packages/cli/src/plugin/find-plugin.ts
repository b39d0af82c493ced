import type { ApiClient } from '@sluice/api-client';
import { CliError } from '../cli-error';
import { asked } from './connect';

export type ApiPlugin = Awaited<ReturnType<ApiClient['getPlugin']>>;

const pageSize = 100;

/** The plugin of a name; null: the organization has none. */
export async function findPlugin(api: ApiClient, name: string): Promise<ApiPlugin | null> {
  for (let offset = 0; ; offset += pageSize) {
    const { items, total } = await asked(api.listPlugins({ query: { limit: pageSize, offset } }));
    const found = items.find((plugin) => plugin.name === name);
    if (found) return found;
    if (offset + items.length >= total || items.length === 0) return null;
  }
}

/** The same. Throws CliError where there is none. */
export async function namedPlugin(api: ApiClient, name: string): Promise<ApiPlugin> {
  const found = await findPlugin(api, name);
  if (!found) throw new CliError(`The organization has no plugin '${name}': push it first.`);
  return found;
}
