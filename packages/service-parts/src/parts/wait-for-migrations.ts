import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitForMigrationsOptions {
  /** Names of the migrations that the database lacks. */
  missing(): Promise<readonly string[]>;
  /** Milliseconds until it is given up. Default two minutes: a migration may wait so long for its lock. */
  waitMs?: number;
  /** Milliseconds between two looks. Default 1,000. */
  everyMs?: number;
}

/**
 * For a service whose role may not change the schema: waits until another process has migrated it.
 * @throws Error that names what is missing, when nobody has; what `missing` throws
 */
export function waitForMigrations(
  { missing, waitMs = 120_000, everyMs = 1_000 }: WaitForMigrationsOptions,
): () => Promise<void> {
  return async () => {
    for (let waited = 0; ; waited += everyMs) {
      const lacking = await missing();
      if (lacking.length === 0) return;
      if (waited >= waitMs) throw new Error(`the database lacks ${lacking.length} migrations, the first is ${lacking[0]}; run migrate (docs/deployment.md)`);
      await sleep(everyMs);
    }
  };
}
