import type { ConfigStore } from '@sluice/ports';
import { HttpError, validationEntry } from '@sluice/service-kit';
import { pluginOverrides } from './plugin-overrides';

/**
 * Throws 422 where an override in the settings of a connector names a function of another organization. A function that there is
 * not may be named: nothing resolves to it, and a publish says so.
 */
export async function refuseFunctionsOfOthers(
  { store }: { store: Pick<ConfigStore, 'plugins'> }, organizationId: string, settings: Record<string, unknown>,
): Promise<void> {
  const named = [...pluginOverrides(settings)].flatMap(([name, { functionArn }]) =>
    (functionArn === undefined ? [] : [{ name, functionArn }]));
  if (named.length === 0) return;
  const foreign = new Set(await store.plugins.functionsOfOthers(organizationId, named.map(({ functionArn }) => functionArn)));
  const problems = named.filter(({ functionArn }) => foreign.has(functionArn)).map(({ name, functionArn }) =>
    validationEntry(
      'body', ['settings', 'plugin_overrides', name, 'function_arn'], 'value_error', 'The organization has no function of this name',
      functionArn,
    ));
  if (problems.length > 0) throw new HttpError(422, problems);
}
