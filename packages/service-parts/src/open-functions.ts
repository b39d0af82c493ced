import { createLocalFunctions } from '@sluice/functions-local';
import type { FunctionCodeStore, FunctionPlatform, Logger } from '@sluice/ports';
import type { FunctionPartsSettings } from './parts-settings';

export interface OpenFunctionsOptions {
  /** Where the platform `local` keeps code. */
  store: FunctionCodeStore;
  logger: Logger;
}

/** The platform on which plugins run, as the settings name it. */
export function openFunctions(settings: FunctionPartsSettings, { store, logger }: OpenFunctionsOptions): FunctionPlatform {
  const bounds = {
    wallMs: settings.functionWallMs, memoryMb: settings.functionMemoryMb, responseBytes: settings.functionResponseBytes,
    logLines: settings.functionLogLines, logLineBytes: settings.functionLogLineBytes, fetches: settings.functionFetches,
    fetchBytes: settings.functionFetchBytes,
  };
  return createLocalFunctions({
    store, logger, bounds, allowPrivateTargets: settings.allowPrivateTargets, deniedTargets: settings.deniedTargets ?? [],
    fetchTimeoutMs: settings.functionFetchTimeoutMs,
    ...(settings.functionProcesses !== null && { maxChildren: settings.functionProcesses }),
    maxPerOrganization: settings.functionProcessesPerOrganization, childMemoryMb: settings.functionProcessMemoryMb,
    waitMs: settings.functionWaitMs, idleMs: settings.functionIdleMs,
  });
}
