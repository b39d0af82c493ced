import { startIngestApi, type TestIngestApi } from './start-ingest-api';

/** Starts an ingest-api for a test, which ends with the test at the latest. Call it at the top level of a test file. */
export function ingestApiOfTest() {
  let api: TestIngestApi;
  let isRunning = false;
  const stop = async (): Promise<void> => {
    if (!isRunning) return;
    isRunning = false;
    await api.stop();
  };
  afterEach(stop);
  const start = async (...given: Parameters<typeof startIngestApi>): Promise<TestIngestApi> => {
    api = await startIngestApi(...given);
    isRunning = true;
    return api;
  };
  /** `api` is the one that was started last, also after its stop. */
  return { start, stop, api: () => api };
}
