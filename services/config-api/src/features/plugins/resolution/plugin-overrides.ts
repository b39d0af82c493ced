/** What the settings of a connector say of one plugin. */
export interface PluginOverride {
  /** Absent: the function that the organization shares. */
  functionArn?: string;
  version: number | '$LATEST';
}

/** The overrides in a connector's settings, by the names of plugins. */
export function pluginOverrides(settings: Record<string, unknown>): Map<string, PluginOverride> {
  const given = (settings['plugin_overrides'] ?? {}) as Record<string, { function_arn?: string; version: number | '$LATEST' }>;
  return new Map(Object.entries(given).map(([name, { function_arn: functionArn, version }]) =>
    [name, { version, ...(functionArn !== undefined && { functionArn }) }]));
}
