/** The config of a source as its checks and its runtime see it: a field given as null is a field not given. */
export function readConfig<Config>(config: Readonly<Record<string, unknown>> | undefined | null): Config {
  const given = Object.entries(config ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as Config;
}
