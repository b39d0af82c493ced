import type { Source } from '@sluice/contracts';
import {
  monotonicClock, secretMask, type SourceCredential, type SourceState, type TargetRequest, wallClock,
} from '@sluice/ports';
import { createRestClient, type RestClientOptions } from '@sluice/rest-client';
import { startDestination, type TestDestination } from '@sluice/testkit';
import { createRestTargets, type RestTargetsDeps, type TargetRun } from '../rest-targets';

/** REST targets over real HTTP: the destination `erp` is a server on 127.0.0.1. */
export interface TargetsLab {
  destination: TestDestination;
  /** The contents of the sources' credentials; tests change them. */
  credentials: Record<string, SourceCredential>;
  /** The switches of sources; tests change them. */
  states: SourceState[];
  /** How often a credential was read. */
  reads(): number;
  /** Sends as a run of the unit `unit`. */
  send(request?: Partial<TargetRequest>, source?: Record<string, unknown>, run?: Partial<TargetRun>): Promise<any>;
  run(source?: Record<string, unknown>, more?: Partial<TargetRun>): TargetRun;
  targets: ReturnType<typeof createRestTargets>;
  /** For each request without an answer: how many milliseconds ago it was sent. */
  unanswered: number[];
  passTime(ms: number): void;
  close(): Promise<void>;
}

interface LabOptions extends Partial<Omit<RestTargetsDeps, 'client' | 'reader'>> {
  client?: Partial<RestClientOptions>;
}

export async function startTargetsLab({ client: clientOptions = {}, ...options }: LabOptions = {}): Promise<TargetsLab> {
  const destination = await startDestination();
  const client = createRestClient({ allowPrivateTargets: true, ...clientOptions });
  const credentials: Record<string, SourceCredential> = {};
  const unanswered: number[] = [];
  const states: SourceState[] = [];
  let [reads, passedMs] = [0, 0];
  const targets = createRestTargets({
    client,
    reader: {
      sourceCredential: async (_organizationId, name) => {
        reads += 1;
        return credentials[name] ?? null;
      },
      sourceStates: async () => states,
    },
    monotonicNow: monotonicClock(() => passedMs), now: wallClock(),
    waiting: (work) => work, timeoutMs: 2_000, maxAnswerBytes: 4_096, connections: 4,
    failingAfterMs: 30_000, insideLease: async () => true, observer: { called: () => undefined },
    secretsUsed: (_connectorId, secrets) => secretMask(secrets),
    ...options,
  });
  const run: TargetsLab['run'] = (source = {}, more = {}) => {
    const sources: Source[] = [{ name: 'erp', type: 'rest', config: { base_url: `${destination.url}/api`, ...source } }];
    return {
      organizationId: 'org', connectorId: 'con', unitKey: 'evt_1/0/first', flowName: 'orders', sources, owned: () => true,
      unanswered: (ms) => void unanswered.push(ms), ...more,
    };
  };
  return {
    destination, credentials, states, targets, run, unanswered,
    reads: () => reads,
    send: (request = {}, source = {}, more = {}) =>
      targets.forRun(run(source, more)).send({
        target: 'erp', method: 'POST', url: '/orders', headers: {}, body: { id: 17 }, stepId: 'tell', ...request,
      }),
    passTime: (ms) => { passedMs += ms; },
    close: async () => {
      await client.close();
      await destination.stop();
    },
  };
}
