import type { ConfigStore } from '@sluice/ports';
import { HttpError, validationEntry } from '@sluice/service-kit';
import { pluginOverrides } from './plugin-overrides';

/** Throws 422 where an override in the settings of a connector names a function that is none of the organization. */
export async function assertOwnFunctions(
  { store }: { store: Pick<ConfigStore, 'plugins'> }, organizationId: string, settings: Record<string, unknown>,
): Promise<void> {
  const named = [...pluginOverrides(settings)].flatMap(([name, { functionArn }]) =>
    (functionArn === undefined ? [] : [{ name, functionArn }]));
  if (named.length === 0) return;
  const own = await store.plugins.ownFunctions(organizationId, named.map(({ functionArn }) => functionArn));
  const known = new Set(own.map(({ functionArn }) => functionArn));
  const problems = named.filter(({ functionArn }) => !known.has(functionArn)).map(({ name, functionArn }) =>
    validationEntry(
      'body', ['settings', 'plugin_overrides', name, 'function_arn'], 'value_error', 'The organization has no function of this name',
      functionArn,
    ));
  if (problems.length > 0) throw new HttpError(422, problems);
}
