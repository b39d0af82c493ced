import { startTestServers, type TestServers } from './test-servers';

/** Where the running servers are kept between setup and teardown: both run in jest's main process. */
export const slot = globalThis as { sluiceTestServers?: TestServers };

/** Starts the servers once, however many projects name this file. */
export async function globalSetup(): Promise<void> {
  slot.sluiceTestServers ??= await startTestServers();
}

// jest takes the default export, nothing else here does.
export { globalSetup as default };
