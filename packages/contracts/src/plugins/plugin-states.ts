/** States of a plugin (docs/reference/plugins.md, States). */
export const pluginStatuses = [
  'draft', 'dev', 'promoting_to_staging', 'staging', 'promoting_to_live', 'live', 'error',
] as const;
export type PluginStatus = (typeof pluginStatuses)[number];
/** The state that a plugin has besides a promotion that is under way. */
export type SettledPluginStatus = Exclude<PluginStatus, `promoting_to_${string}`>;

export const pluginTargets = ['staging', 'live'] as const;
export type PluginTarget = (typeof pluginTargets)[number];

/** What an invocation by hand may name. */
export const pluginQualifiers = ['dev', 'staging', 'live'] as const;
export type PluginQualifier = (typeof pluginQualifiers)[number];

export const hookTypes = ['setup', 'teardown'] as const;
export type HookType = (typeof hookTypes)[number];
export const hookStatuses = ['pending', 'success', 'failed'] as const;
export type HookStatus = (typeof hookStatuses)[number];

/** The status that a plugin's versions describe, where nothing else is known of it. */
export function describedStatus(
  known: { liveVersion: number | null; stagingVersion: number | null; hasFunction: boolean },
): SettledPluginStatus {
  if (known.liveVersion !== null) return 'live';
  if (known.stagingVersion !== null) return 'staging';
  return known.hasFunction ? 'dev' : 'draft';
}

/** What a hook's request means for the newest cycle that is known. `again`: the failed one is queued once more. */
export type HookPlan =
  | { kind: 'known' | 'again'; cycle: number }
  | { kind: 'new'; cycle: number }
  /** A teardown without a setup. */
  | { kind: 'no_setup' };

/** The hooks of a plugin on one connector, as far as they decide what a request means. */
export interface KnownHook {
  hookType: HookType;
  cycle: number;
  status: HookStatus;
}

/**
 * A setup or teardown that is pending or has succeeded in its cycle is not asked for twice; a failed one is. A setup after a
 * successful teardown opens the next cycle; a teardown has the cycle of the newest setup.
 */
export function planHook(type: HookType, hooks: readonly KnownHook[]): HookPlan {
  const cycle = Math.max(0, ...hooks.map((hook) => hook.cycle));
  const inCycle = (wanted: HookType): KnownHook | undefined =>
    hooks.find((hook) => hook.hookType === wanted && hook.cycle === cycle);
  if (type === 'teardown') return cycle === 0 ? { kind: 'no_setup' } : planned(inCycle('teardown'), cycle);
  if (cycle === 0) return { kind: 'new', cycle: 1 };
  return inCycle('teardown')?.status === 'success' ? { kind: 'new', cycle: cycle + 1 } : planned(inCycle('setup'), cycle);
}

function planned(hook: KnownHook | undefined, cycle: number): HookPlan {
  if (!hook) return { kind: 'new', cycle };
  return { kind: hook.status === 'failed' ? 'again' : 'known', cycle };
}
