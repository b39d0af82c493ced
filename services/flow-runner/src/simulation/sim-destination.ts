import type { RestClient, RestRequest, RestResult } from '@sluice/rest-client';
import { never } from './connected';
import type { CrmLog, FaultKind } from './crm-log';
import type { Prng } from './time/prng';
import type { Scenario } from './worlds/scenario';
import type { CrmCaller } from './crm/sim-crm-calls';
import type { Clock } from './time/virtual-time';

/** One request that the destination of the simulated flows got. */
export interface SentRequest {
  at: number;
  /** The process that sent it. */
  by: string;
  /** Its Idempotency-Key. */
  key: string;
  path: string;
  /** The number of the event that it tells of. */
  n: number;
  /** What it tells, without what differs between two sendings of one message. */
  body: string;
}

/** The system that the simulated flows tell what they did: slow, refusing, with answers that get lost. */
export class SimDestination {
  readonly requests: SentRequest[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly prng: Prng,
    private readonly crmLog: Pick<CrmLog, 'faults'>,
    private readonly scenario: Pick<Scenario, 'crmFaults'>,
    private readonly quiet: () => boolean,
  ) {}

  clientFor(caller: CrmCaller): RestClient {
    return { call: (request) => this.call(caller, request), close: () => Promise.resolve() };
  }

  private async call(caller: CrmCaller, { url, headers = {}, body }: RestRequest): Promise<RestResult> {
    if (!caller.alive()) return never();
    const told = JSON.parse(String(body)) as { n?: number; data?: { n: number }; sent_at?: string };
    const n = told.n ?? told.data!.n;
    await this.travel();
    const fate = this.rollFate();
    if (fate !== 'unreached') {
      const key = headers['Idempotency-Key'] ?? '';
      const text = JSON.stringify({ ...told, sent_at: undefined });
      this.requests.push({ at: this.clock.now(), by: caller.name, key, path: new URL(url).pathname, n, body: text });
    }
    await this.travel();
    await caller.awake();
    if (!caller.alive()) return never();
    if (fate !== 'well') this.noteFault(fate === 'unheard' ? 'after' : 'before', n);
    return answers[fate];
  }

  private travel(): Promise<void> {
    return this.clock.sleep(1 + this.prng.int(this.prng.chance(0.1) ? 800 : 60));
  }

  private rollFate(): keyof typeof answers {
    if (this.quiet() || !this.prng.chance(this.scenario.crmFaults)) return 'well';
    return this.prng.pick(['refused', 'refused', 'unheard', 'unreached']);
  }

  private noteFault(kind: FaultKind, n: number): void {
    const at = this.clock.now();
    this.crmLog.faults.push({ at, heardAt: at, kind, about: { numbers: [n], records: [] } });
  }
}

const answerOf = (status: number): RestResult => ({ answered: true, status, headers: {}, body: Buffer.from('{}') });

const answers = {
  well: answerOf(200),
  refused: answerOf(503),
  unheard: { answered: false, reason: 'no_answer', message: 'the simulated destination: no answer' },
  unreached: { answered: false, reason: 'not_sent', message: 'the simulated destination: not reached' },
} as const satisfies Record<string, RestResult>;
