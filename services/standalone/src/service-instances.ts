/** The services of this process, for the operator's overview: they start and stop together and have one version. */
export function serviceInstances(
  names: readonly string[],
  version = process.env.npm_package_version ?? '0.1.0',
): () => { name: string; version: string; uptime_seconds: number }[] {
  const startedAt = performance.now();
  return () => names.map((name) => ({ name, version, uptime_seconds: Math.round((performance.now() - startedAt) / 1_000) }));
}
