import { slot } from './global-setup';

/** Ends what the setup started, once. */
export async function globalTeardown(): Promise<void> {
  const servers = slot.sluiceTestServers;
  delete slot.sluiceTestServers;
  await servers?.stop();
}

export { globalTeardown as default };
