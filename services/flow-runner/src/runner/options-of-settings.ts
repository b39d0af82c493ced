import { getHeapStatistics } from 'node:v8';
import { deliveryTimings, functionSettings, parseSettings, type SettingValues } from '@sluice/service-kit';
import { runnerSettings } from '../settings';
import { fixedOptions, type RunnerOptions } from './runner-deps';

/** The settings that a runner's options follow from. */
export type RunnerSettings = SettingValues<typeof runnerSettings & typeof deliveryTimings & typeof functionSettings>;

/** What its process says of a runner. */
type Identity = Pick<RunnerOptions, 'owner' | 'takeOver' | 'topics' | 'group'>;
type SetOptions = Omit<RunnerOptions, keyof typeof fixedOptions | keyof Identity>;

const [kib, mib] = [1_024, 1_048_576] as const;

/** The options of a runner under these settings, without what its process says. */
export function optionsOfSettings(settings: RunnerSettings): Omit<RunnerOptions, keyof Identity> {
  const set: SetOptions = {
    policy: {
      attempts: settings.attempts, waitsMs: settings.retryWaitsMs, ceilingMs: settings.retryCeilingMs, ttlMs: settings.eventTtlMs,
    },
    breakers: { waitsMs: settings.breakerWaitsMs, healthyResetMs: settings.breakerHealthyResetMs },
    searchLagMs: settings.searchLagMs,
    rememberedMappings: settings.rememberedMappings,
    echoWindowMs: settings.echoWindowMs,
    maxInFlight: settings.maxInFlight,
    leastImportRate: settings.leastImportRate,
    maxFileBytes: settings.maxFileMb * mib,
    maxBuffered: settings.maxBuffered,
    maxPerConnector: settings.maxPerConnector,
    eventMemoryBytes: settings.eventMemoryMb === 0 ? getHeapStatistics().heap_size_limit / 4 : settings.eventMemoryMb * mib,
    crmTimeoutMs: settings.crmTimeoutMs,
    lateWriteMs: settings.lateWriteMs,
    deadCallsMs: settings.deadCallsMs,
    portalFailingAfterMs: settings.portalFailingAfterMs,
    targetTimeoutMs: settings.targetTimeoutMs,
    targetAnswerBytes: settings.targetAnswerKb * kib,
    targetConnections: settings.targetConnections,
    pluginStoreKeys: settings.pluginStoreKeys,
    pluginStoreValueBytes: settings.pluginStoreValueBytes,
    pluginLinesPerHour: settings.pluginLinesPerHour,
    crashDeaths: settings.crashDeaths,
    crashWatchMs: settings.crashWatchMs,
    traceCharacters: settings.traceCharacters,
    keptCharacters: settings.keptCharacters,
  };
  return { ...fixedOptions, ...set };
}

/** The same where nothing is set: what labs and the simulation begin with. Event memory does not depend on their heap. */
export const defaultOptions = {
  ...optionsOfSettings(parseSettings({ ...deliveryTimings, ...functionSettings, ...runnerSettings }, {})),
  eventMemoryBytes: 512 * mib,
};
