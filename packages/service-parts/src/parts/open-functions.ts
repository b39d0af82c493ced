import { createLambdaFunctions } from '@sluice/functions-lambda';
import { createLocalFunctions } from '@sluice/functions-local';
import type { FunctionBounds, FunctionCodeStore, FunctionPlatform, Logger } from '@sluice/ports';
import type { FunctionPartsSettings } from './parts-settings';

export interface OpenFunctionsOptions {
  /** Where the platform `local` keeps code. */
  store: FunctionCodeStore;
  logger: Logger;
}

type OpenPlatform = (settings: FunctionPartsSettings, bounds: FunctionBounds, options: OpenFunctionsOptions) => FunctionPlatform;

/** The platforms of `SLUICE_FUNCTIONS`. */
const platforms: Record<FunctionPartsSettings['functions'], OpenPlatform> = {
  local: (settings, bounds, { store, logger }) => createLocalFunctions({
    store, logger, bounds, ...targetsOf(settings),
    ...(settings.functionProcesses !== null && { maxChildren: settings.functionProcesses }),
    ...(settings.functionComputeMs !== null && { computeMsPerSecond: settings.functionComputeMs }),
    maxPerOrganization: settings.functionProcessesPerOrganization, childMemoryMb: settings.functionProcessMemoryMb,
    maxWaiting: settings.functionQueue, bytesPerSecond: settings.functionBytesPerSecond, waitMs: settings.functionWaitMs,
    idleMs: settings.functionIdleMs,
  }),
  lambda: (settings, bounds) => createLambdaFunctions({
    bounds, ...targetsOf(settings), region: settings.awsRegion, endpoint: settings.lambdaEndpoint,
    // The settings need it for `lambda`.
    role: settings.lambdaRole!, credentials: credentialsOf(settings), timeoutMs: settings.lambdaTimeoutMs,
  }),
};

/** The platform on which plugins run, as the settings name it. */
export function openFunctions(settings: FunctionPartsSettings, options: OpenFunctionsOptions): FunctionPlatform {
  const bounds = {
    wallMs: settings.functionWallMs, memoryMb: settings.functionMemoryMb, responseBytes: settings.functionResponseBytes,
    logLines: settings.functionLogLines, logLineBytes: settings.functionLogLineBytes, fetches: settings.functionFetches,
    fetchBytes: settings.functionFetchBytes,
  };
  return platforms[settings.functions](settings, bounds, options);
}

const targetsOf = (settings: FunctionPartsSettings) => ({
  allowPrivateTargets: settings.allowPrivateTargets, deniedTargets: settings.deniedTargets ?? [],
  fetchTimeoutMs: settings.functionFetchTimeoutMs,
});

function credentialsOf({ awsAccessKeyId, awsSecretAccessKey, awsSessionToken }: FunctionPartsSettings) {
  if (awsAccessKeyId === null || awsSecretAccessKey === null) return null;
  const session = awsSessionToken === null ? {} : { sessionToken: awsSessionToken };
  return { accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey, ...session };
}
