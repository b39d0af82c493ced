import { setTimeout as sleep } from 'node:timers/promises';
import { services } from '@sluice/deployment';
import type { SeededRandom } from '@sluice/seeded-random';
import type { ChaosStack } from './stack';

/** One thing that goes wrong. It is over when `make` resolves: what was ended runs again and is ready. */
export interface Trouble {
  name: string;
  make(stack: ChaosStack, random: SeededRandom): Promise<void>;
}

/** For how long a server is away and the CRM refuses: shorter than all waits of an event together. */
const [leastMs, mostMs] = [1_000, 5_000];

/** Every instance of a service may be the one that dies. */
const killed = services.map(({ name }): Trouble => ({
  name: `kill -9 of ${name}`,
  make: ({ cluster }, random) => cluster.replace(name, random.int(cluster.instances(name))),
}));

const restarted = (['kafka', 'postgres', 'redis'] as const).map((name): Trouble => ({
  name: `kill -9 and restart of ${name}`,
  make: async (stack, random) => {
    await stack[name].kill();
    await sleep(random.between(leastMs, mostMs));
    await stack[name].restart();
  },
}));

const crm = (name: string, fault: Record<string, unknown>): Trouble => ({
  name,
  make: async ({ cluster }, random) => {
    const { fault_id: id } = await cluster.sim('POST', '/_sim/faults', fault);
    await sleep(random.between(leastMs, mostMs));
    await cluster.sim('DELETE', `/_sim/faults/${id}`);
  },
});

export const troubles: readonly Trouble[] = [
  ...killed,
  ...restarted,
  crm('CRM: storm of 429', { status: 429, headers: { 'Retry-After': '1' }, probability: 0.8 }),
  crm('CRM: outage', { drop: true }),
  crm('CRM: writes, and answers 503', { method: 'POST', path: '/batch/', status: 503, after_write: true, probability: 0.5 }),
];

/** All troubles, then all of them again in another order, and so on. */
export function* troublesInTurn(random: SeededRandom): Generator<Trouble> {
  for (let round = 0; ; round += 1) {
    const left = [...troubles];
    while (left.length > 0) yield left.splice(round === 0 ? 0 : random.int(left.length), 1)[0]!;
  }
}
