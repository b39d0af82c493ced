import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../cluster';

interface Sample {
  /** When it was sent, milliseconds since the epoch. */
  at: number;
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

/** A well-behaved tenant: sends events steadily from its own address, and resends those that are not accepted. */
export interface GoodTenant {
  /** The answers since the last call. */
  phase(): Phase;
  /** The attacks begin. */
  begin(): void;
  /** Nobody attacks for so long. */
  quiet(ms: number): Promise<Phase>;
  /** Accepts that were sent while nobody attacked. */
  idle(): Phase;
  /** Accepts that were sent since the attacks began, but for the quiet times. */
  attacked(): Phase;
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
  const quiets: { from: number; to: number }[] = [];
  const all: Sample[] = [];
  let recent: Sample[] = [];
  let begunAt = Infinity;
  let stopped: () => void = () => undefined;
  const whenStopped = new Promise<void>((resolve) => (stopped = resolve));
  sender.on('message', (message: Sample & { kind: string; name: string; accepted: boolean }) => {
    if (message.kind === 'stopped') return stopped();
    recent.push(message);
    all.push(message);
    if (message.accepted) accepted.add(message.name);
  });
  const phase = (): Phase => {
    const made = phaseOf(recent);
    recent = [];
    return made;
  };
  const isQuiet = ({ at }: Sample): boolean => quiets.some(({ from, to }) => at >= from && at <= to);
  return {
    accepted,
    phase,
    begin: () => {
      begunAt = Date.now();
    },
    quiet: async (ms) => {
      phase();
      const from = Date.now();
      await sleep(ms);
      quiets.push({ from, to: Date.now() });
      return phase();
    },
    idle: () => phaseOf(all.filter(isQuiet)),
    attacked: () => phaseOf(all.filter((sample) => sample.at >= begunAt && !isQuiet(sample))),
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
