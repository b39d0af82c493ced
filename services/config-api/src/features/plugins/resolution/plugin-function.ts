import type { PluginCoordinates, PluginQualifier } from '@sluice/contracts';
import type { KnownPlugin } from '@sluice/ports';

/** The function of a plugin that a qualifier means; null: there is none yet. @param developerId whose own one `dev` is */
export function pluginFunction(
  { functions, capabilities, stagingVersion, liveVersion }: KnownPlugin, qualifier: PluginQualifier, developerId: string,
): PluginCoordinates | null {
  const owner = qualifier === 'dev' ? developerId : null;
  const version = qualifier === 'dev' ? '$LATEST' : qualifier === 'staging' ? stagingVersion : liveVersion;
  const function_arn = functions.find((one) => one.developerId === owner)?.functionArn;
  return version === null || function_arn === undefined ? null : { function_arn, version, capabilities };
}
