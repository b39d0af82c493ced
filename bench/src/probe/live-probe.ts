import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../report/percentile';
import type { Portal } from '../stack/crm';
import type { Connector } from '../stack/tenant';

/** How long single events took from their 202 to the CRM, milliseconds. */
export interface ProbeDelays {
  sent: number;
  p50: number;
  p95: number;
  max: number;
  /** Accepted, and not in the CRM at the end of the wait. */
  missing: number;
  /** Not answered 202. */
  refused: number;
}

interface Probe {
  email: string;
  phase: string;
  connectorId: string;
  /** Milliseconds since the epoch; null: refused. */
  acceptedAt: number | null;
}

const everyMs = 1_000;
/** Accepted events may take this long after the last one was sent. */
const arrivalMs = 60_000;

/** Sends an event of each connector every second, each a new record: what others notice of something that goes on. */
export class LiveProbe {
  private readonly probes: Probe[] = [];
  private readonly name = randomBytes(3).toString('hex');

  constructor(private readonly ingestUrl: string, private readonly connectors: readonly Connector[]) {}

  /** Sends until the work has ended. */
  async beside<T>(phase: string, work: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    // The work's own failure is thrown by the last line.
    ended.catch(() => undefined);
    const sending: Promise<void>[] = [];
    while (!isDone) {
      for (const connector of this.connectors) sending.push(this.send(phase, connector));
      await Promise.race([sleep(everyMs), ended.catch(() => undefined)]);
    }
    await Promise.all(sending);
    return ended;
  }

  /** What became of the events of a phase. */
  async delays(portal: Portal, phase: string, connector: Connector): Promise<ProbeDelays> {
    const probes = this.probes.filter((one) => one.phase === phase && one.connectorId === connector.id);
    const accepted = probes.filter(({ acceptedAt }) => acceptedAt !== null);
    const emails = accepted.map(({ email }) => email);
    const until = performance.now() + arrivalMs;
    let created = await portal.createdAt(emails);
    while (created.size < emails.length && performance.now() < until) {
      await sleep(500);
      created = await portal.createdAt(emails);
    }
    const times = accepted
      .flatMap(({ email, acceptedAt }) => (created.has(email) ? [Math.max(0, created.get(email)! - acceptedAt!)] : []))
      .sort((a, b) => a - b);
    return {
      sent: probes.length, p50: percentile(times, 0.5), p95: percentile(times, 0.95), max: times.at(-1) ?? 0,
      missing: emails.length - times.length, refused: probes.length - accepted.length,
    };
  }

  private async send(phase: string, { apiKey, id }: Connector): Promise<void> {
    const email = `live-${this.name}-${this.probes.length}@bench.example`;
    const probe: Probe = { email, phase, connectorId: id, acceptedAt: null };
    this.probes.push(probe);
    const response = await fetch(`${this.ingestUrl}/api/v1/events`, {
      method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ event: 'sync', entities: [{ type: 'customer', externalObjectId: email,
        properties: { email, sequence: '0001' } }] }),
    });
    await response.text();
    if (response.status === 202) probe.acceptedAt = Date.now();
  }
}
