/** How the services of this process stand, for the operator's overview: they live and are versioned together. */
export function serviceInstances(
  names: readonly string[],
  version = process.env.npm_package_version ?? '0.1.0',
): () => { name: string; version: string; uptime_seconds: number }[] {
  const startedAt = performance.now();
  return () => names.map((name) => ({ name, version, uptime_seconds: Math.round((performance.now() - startedAt) / 1_000) }));
}
