import { bareRate } from '../peer/bare-rate';
import { startPeer } from '../peer/start-peer';
import { median } from '../report/percentile';
import { type BenchLab, startLab } from './bench-lab';
import { runColumns, runToCrm, type RunToCrm } from './run-to-crm';
import { atMost, type Scenario, type ScenarioContext } from './scenario';

const rounds = 2;
/** The peer answers an accepted request with 200, and keeps no event that could be asked for. */
const peerAnswers = 200;

const names = { entities: 'Sluice, entities, 50 senders', data: 'Sluice, data, 200 senders', peer50: 'Bento + Kafka, 50 senders',
  peer400: 'Bento + Kafka, 400 senders' } as const;

/** One load on Sluice or on the peer. */
type Turn = (round: number, scale: number) => Promise<RunToCrm>;

function turnsOn({ stack }: ScenarioContext, lab: BenchLab, peerUrl: string): Record<string, Turn> {
  const sluice = (shape: 'entities' | 'data', senders: number, requests: number): Turn => (round, scale) =>
    runToCrm(stack, lab.portal, lab.ingest.url,
      lab.plan({ prefix: `sluice-${shape}-${round}`, shape, senders, requests: Math.round(requests * scale) }));
  const peer = (senders: number): Turn => (round, scale) =>
    runToCrm(stack, lab.portal, lab.ingest.url, {
      ...lab.plan({ prefix: `peer-${senders}-${round}`, shape: 'data', senders, requests: Math.round(20_000 * scale) }),
      url: peerUrl, path: '/events', keys: ['none'], acceptedStatus: peerAnswers,
    });
  return {
    [names.entities]: sluice('entities', 50, 2_000), [names.data]: sluice('data', 200, 20_000),
    [names.peer50]: peer(50), [names.peer400]: peer(400),
  };
}

/** Records per second of Sluice and of Bento with Kafka, in turns: the same broker, CRM and load generator, the same records. */
export const peers: Scenario = {
  name: 'peers',
  words: 'records per second of Sluice against Bento with Kafka between two streams',
  usesBroker: true,
  run: async (context) => {
    const { stack, scale } = context;
    const lab = await startLab(stack, { connectors: 1, runners: 1, warmUp: 4_000 * scale });
    try {
      const peer = await startPeer(stack.brokers, stack.crm.url, lab.portal);
      try {
        const turns = turnsOn(context, lab, peer.url);
        const runs = new Map(Object.keys(turns).map((name) => [name, [] as RunToCrm[]]));
        // Not counted: the services compile their code for some ten thousand records.
        for (const turn of Object.values(turns)) await turn(0, scale);
        for (let round = 1; round <= rounds; round += 1)
          for (const [name, turn] of Object.entries(turns)) runs.get(name)!.push(await turn(round, scale));
        const bare = await bareRate(stack, 50, 6_000 * scale);
        const rate = (name: string): number => median(runs.get(name)!.map(({ recordsPerSecond }) => recordsPerSecond));
        const lost = [...runs.values()].flat().reduce((sum, { verification }) => sum + verification.lost, 0);
        return {
          title: `peers: ${peers.words}; medians of ${rounds} rounds in turns; CRM 50 ms`,
          rows: [...runs].map(([name, of]) => ({
            system: name, ...runColumns(of.at(-1)!), 'records/s': rate(name),
            'x Bento, 50 senders': rate(name) / rate(names.peer50),
            'x Bento, 400 senders': rate(name) / rate(names.peer400), 'x bare express': rate(name) / bare,
          })),
          figures: {
            'peers: entities': rate(names.entities) / rate(names.peer50), 'peers: data': rate(names.data) / rate(names.peer400),
          },
          holds: [atMost('lost, of all', lost, 0)],
        };
      } finally {
        await peer.stop();
      }
    } finally {
      await lab.stop();
    }
  },
};
