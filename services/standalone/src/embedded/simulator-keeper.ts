import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCrmSimulator } from '@sluice/crm-simulator';
import { claimFolder, FolderTaken } from '../folder/claim-folder';
import { createSnapshotFile } from './snapshot-file';

/** The plan that `start-simulator` sends. */
interface Plan {
  port: number;
  /** File of the snapshot. */
  snapshot: string;
  /** The one app that is accepted; null: any. */
  app: { clientId: string; clientSecret: string } | null;
}

type Keep = { openKeeper(): Promise<{ plan: Plan; whenLeft(end: () => void): void }>; say(words: string): void };

/** An earlier simulator whose parent was killed needs some time to write its snapshot. */
const forerunnerMs = 60_000;

/**
 * Keeps the CRM stand-in in a process of its own: like a real CRM it outlives a killed Sluice long enough to lose
 * nothing. Its snapshot is written when it ends, and every so often in between.
 */
async function main(): Promise<void> {
  const { openKeeper, say } = (await import(require.resolve('./open-keeper.mjs'))) as Keep;
  const { plan, whenLeft } = await openKeeper();
  try {
    const simulator = createCrmSimulator(plan.app ?? {});
    await claim(plan.snapshot);
    if (existsSync(plan.snapshot)) simulator.state.restore(readFileSync(plan.snapshot));
    await simulator.start(plan.port);
    const snapshots = createSnapshotFile(plan.snapshot, simulator);
    whenLeft(() => {
      snapshots.stop();
      process.exit(0);
    });
    say('ready');
  } catch (error) {
    say(`the CRM simulator did not start: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
    process.stdin.destroy();
  }
}

/** Waits until the earlier simulator has ended, and so has written its last snapshot. */
async function claim(snapshot: string): Promise<void> {
  const deadline = performance.now() + forerunnerMs;
  for (;;) {
    try {
      return void (await claimFolder(snapshot));
    } catch (error) {
      if (!(error instanceof FolderTaken) || performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

void main();
