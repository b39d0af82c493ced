import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpSender, type HttpSender } from './http-sender';
import { bodyOf, type LoadPlan, type LoadResult } from './load-plan';
import { percentile } from '../report/percentile';

/** Latencies kept at most: enough for a percentile, little enough for memory. */
const maxSamples = 200_000;

interface Tally {
  accepted: number;
  refused: Record<string, number>;
  first: number;
  last: number;
  times: number[];
  acceptedAt: number[][];
  eventIds: string[][];
}

const clock = (): number => performance.timeOrigin + performance.now();

/** Sends a plan and counts what came back. Each sender has its own requests and sends them one after the other. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const { hostname, port } = new URL(plan.url);
  const per = plan.requests ?? 0;
  const tally: Tally = {
    accepted: 0, refused: {}, first: 0, last: 0, times: [],
    acceptedAt: Array.from({ length: per > 0 ? plan.updates : 0 }, () => new Array<number>(per).fill(0)),
    eventIds: Array.from({ length: per > 0 ? plan.updates : 0 }, () => new Array<string>(per).fill('')),
  };
  const heads = plan.keys.map(
    (key) => `POST ${plan.path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`,
  );
  const senders = Array.from({ length: plan.senders }, () => createHttpSender(hostname, Number(port)));
  const cpu = process.cpuUsage();
  const began = clock();
  await Promise.all(senders.map((sender, index) => sendOwn(plan, heads, sender, index, began, tally)));
  const elapsedMs = clock() - began;
  const used = process.cpuUsage(cpu);
  for (const sender of senders) sender.close();
  tally.times.sort((a, b) => a - b);
  return {
    accepted: tally.accepted, refused: tally.refused, firstAcceptAt: tally.first, lastAcceptAt: tally.last, elapsedMs,
    p50: percentile(tally.times, 0.5), p95: percentile(tally.times, 0.95), p99: percentile(tally.times, 0.99),
    cpu: (used.user + used.system) / 1000 / elapsedMs,
    acceptedAt: tally.acceptedAt, eventIds: tally.eventIds,
  };
}

/** The header of a webhook's signature; empty where nothing is signed. */
const signature = ({ secret }: LoadPlan, body: string): string =>
  (secret === undefined ? '' : `x-signature: ${createHmac('sha256', secret).update(body).digest('hex')}\r\n`);

async function sendOwn(
  plan: LoadPlan,
  heads: string[],
  sender: HttpSender,
  index: number,
  began: number,
  tally: Tally,
): Promise<void> {
  const end = plan.durationMs === null ? Number.POSITIVE_INFINITY : began + plan.durationMs;
  let sent = 0;
  for (let update = 0; update < plan.updates; update += 1) {
    for (let request = index; request < (plan.requests ?? Number.POSITIVE_INFINITY); request += plan.senders) {
      if (plan.rate !== null) {
        const wait = began + ((sent * plan.senders + index) / plan.rate) * 1000 - clock();
        if (wait > 1) await sleep(wait);
      }
      const at = clock();
      if (at >= end) return;
      const body = bodyOf(plan, request, update);
      const answer = await sender.send(heads[request % heads.length]! + signature(plan, body), body);
      const now = clock();
      sent += 1;
      if (tally.times.length < maxSamples) tally.times.push(now - at);
      if (answer.status !== (plan.acceptedStatus ?? 202)) {
        tally.refused[answer.status] = (tally.refused[answer.status] ?? 0) + 1;
        // Waits a little before it tries an unreachable server again.
        if (answer.status === 0) await sleep(100);
        continue;
      }
      tally.accepted += 1;
      tally.first ||= now;
      tally.last = now;
      if (plan.requests === null) continue;
      tally.acceptedAt[update]![request] = now;
      tally.eventIds[update]![request] = /"event_id":"([^"]*)"/.exec(answer.body)?.[1] ?? '';
    }
  }
}
