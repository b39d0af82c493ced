/** Runs the attacks it is asked for, by name. Started by `startAttackers`. */
import { createTenants } from '../cluster';
import { allAttacks } from './all-attacks';
import { type Arena, createTally, type Target } from './attack';
import type { AttackReport } from './attackers';

const target = JSON.parse(process.argv[2]!) as Target;
const tenant = createTenants({ configUrl: target.config, crmUrl: target.crm, owners: 'attacked' });
const arena: Arena = { ...target, tenant };

async function report(name: string): Promise<AttackReport> {
  const tally = createTally();
  const attack = allAttacks.find((one) => one.name === name)!;
  const failure = await attack.run(arena, tally).then(
    () => null,
    (error: unknown) => String(error instanceof Error ? error.stack : error),
  );
  return { statuses: [...tally.statuses], requests: tally.requests, slowestMs: tally.slowestMs, failure };
}

process.on('message', (name: string) => void report(name).then((made) => process.send!(made)));
// The test is over, with any result.
process.on('disconnect', () => process.exit());
