import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Tenant } from '../cluster';

interface Sample {
  ms: number;
  status: number;
}

/** Answers within a time: how many, how they were spread, and what was not accepted. */
export interface Phase {
  count: number;
  p50: number;
  p99: number;
  slowest: number;
  /** Answers other than 202, by status; 0: none came. */
  refused: Record<number, number>;
}

/** Milliseconds between two events of the good tenant. */
const sendEveryMs = 25;

/** A tenant that does nothing wrong: sends events steadily from an address of its own, and resends what is not accepted. */
export interface GoodTenant {
  /** What was answered since the last call. */
  phase(): Phase;
  /** The attacks begin. */
  begin(): void;
  /** What was answered since they began. */
  whole(): Phase;
  /** Names of the events that were accepted; each becomes a contact of that address. */
  accepted: ReadonlySet<string>;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

export const goodAddress = '203.0.113.1';

export function startGoodTenant(url: string, { connectorKey }: Tenant): GoodTenant {
  const order = { url, key: connectorKey, everyMs: sendEveryMs, address: goodAddress };
  const sender = fork(join(__dirname, 'steady-sender.mjs'), [JSON.stringify(order)], { execArgv: [] });
  const accepted = new Set<string>();
  let recent: Sample[] = [];
  let all: Sample[] = [];
  let stopped: () => void = () => undefined;
  const whenStopped = new Promise<void>((resolve) => (stopped = resolve));
  sender.on('message', (message: Sample & { kind: string; name: string; accepted: boolean }) => {
    if (message.kind === 'stopped') return stopped();
    recent.push(message);
    all.push(message);
    if (message.accepted) accepted.add(message.name);
  });
  return {
    accepted,
    phase: () => {
      const phase = phaseOf(recent);
      recent = [];
      return phase;
    },
    begin: () => {
      all = [];
    },
    whole: () => phaseOf(all),
    stop: async () => {
      if (!sender.connected) return;
      sender.send('stop');
      await whenStopped;
    },
  };
}

function phaseOf(samples: readonly Sample[]): Phase {
  const times = samples.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  const refused: Record<number, number> = {};
  for (const { status } of samples) if (status !== 202) refused[status] = (refused[status] ?? 0) + 1;
  return { count: times.length, p50: at(0.5), p99: at(0.99), slowest: times.at(-1) ?? 0, refused };
}
