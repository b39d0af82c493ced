import { addBackground } from '@sluice/background';
import type { ServiceApp, SettingValues } from '@sluice/service-kit';
import type { ProductContext, StoreParts } from '@sluice/service-parts';
import { prepareWorker } from './prepare/prepare-worker';
import type { exportWorkerSettings } from './settings';
import { sweepWorker } from './sweep/sweep-worker';

/** What export-worker stands on, behind the ports. */
export type ExportWorkerParts = Pick<StoreParts, 'kv' | 'blobs' | 'exports' | 'exportSource' | 'tasks'>;

/** Milliseconds between two looks of a run whether its export goes on: how soon the deletion of a connector stops it. */
const lookMs = 1_000;

/** Puts export-worker together on given parts: its workers, which the lifecycle starts. */
export function composeExportWorker(
  { blobs, exports, exportSource: source, tasks }: ExportWorkerParts,
  { settings, logger, metrics, lifecycle, shared }: ProductContext<SettingValues<typeof exportWorkerSettings>>,
): ServiceApp {
  const { exportTtlMs: ttlMs, exportRetryWaitsMs: retryWaitsMs, exportPlaces: places, workerTickMs: everyMs } = settings;
  const workers = [
    prepareWorker({ exports, source, blobs, ttlMs, lookMs, retryWaitsMs, places }),
    sweepWorker({ exports, blobs, everyMs }),
  ];
  const { installation } = shared ?? {};
  addBackground({ service: 'export-worker', workers, tasks, logger, metrics, installation }, lifecycle);
  return {};
}
