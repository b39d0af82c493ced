import type { Tier } from '@sluice/contracts';

/** What a config and a set of keys may grow to; null: what `configLimits` allows. */
export interface VolumeLimits {
  /** Flows of one published config. */
  flows_limit: number | null;
  /** Steps of all flows of one published config. */
  steps_limit: number | null;
  /** Usable keys of one connector, and of the organization itself. */
  api_keys_limit: number | null;
}

const volume = (flows: number | null, steps: number | null, keys: number | null): VolumeLimits => ({
  flows_limit: flows,
  steps_limit: steps,
  api_keys_limit: keys,
});

const volumes: Readonly<Record<Tier, VolumeLimits>> = {
  free: volume(100, 500, 20),
  starter: volume(100, 500, 20),
  pro: volume(250, 1_250, 50),
  scale: volume(500, 2_500, 100),
  trial: volume(500, 2_500, 50),
  enterprise: volume(null, null, 1_000),
};

/** The limits in force: agreed ones replace the plan's own. */
export function volumeLimits(organization: { tier: Tier; limits: Readonly<Record<string, number | null>> }): VolumeLimits {
  const limits: VolumeLimits = { ...volumes[organization.tier] };
  for (const name of Object.keys(limits) as (keyof VolumeLimits)[]) {
    const agreed = organization.limits[name];
    if (agreed !== undefined) limits[name] = agreed;
  }
  return limits;
}
