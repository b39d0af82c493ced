import type { Tier } from '../connector-change';
import { type LimitedOrganization, withAgreed } from './plan-limits';

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
export const volumeLimits = (organization: LimitedOrganization): VolumeLimits =>
  withAgreed(volumes[organization.tier], organization.limits);
