import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Target } from './attack';

/** What came of an attack. */
export interface AttackReport {
  /** Answers by status. */
  statuses: [number, number][];
  requests: number;
  slowestMs: number;
  /** What the attack found wrong. */
  failure: string | null;
}

/** The attackers' machine: a process that gets only the processor time which nobody else wants. */
export interface Attackers {
  run(attack: string): Promise<AttackReport>;
  stop(): void;
}

/** Of lowest priority from the first instruction, so that every thread of it is. */
const nice = ['-n', '19', process.execPath];

const compiled = join(__dirname, '..', '..', '..', 'dist', 'support', 'abuse', 'attacker-process.js');

/** The services are compiled by now, and this package with them. */
export function startAttackers(target: Target): Attackers {
  const child = fork(compiled, [JSON.stringify(target)], { execPath: 'nice', execArgv: nice });
  return {
    run: (attack) =>
      new Promise((resolve, reject) => {
        const died = (code: number | null): void => reject(new Error(`the attackers ended with ${code}`));
        child.once('exit', died);
        child.once('message', (report: AttackReport) => {
          child.off('exit', died);
          resolve(report);
        });
        child.send(attack);
      }),
    stop: () => child.disconnect(),
  };
}
