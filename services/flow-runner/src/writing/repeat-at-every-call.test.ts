import { type SimulatedCrm, startSimulatedCrm } from '@sluice/crm-writer/test-support';
import { type Cut, type FlowCase, FlowProcesses } from '../test-support/attempt-lab';
import { representativeFlows } from './representative-flows';

/** The place of the event in the log, behind those that come before it. */
const place = 10n;

describe('an event that is repeated at any point', () => {
  let lab: SimulatedCrm;
  beforeAll(async () => {
    lab = await startSimulatedCrm();
  });
  afterAll(() => lab.close());

  async function processes({ entities, before = [] }: FlowCase): Promise<FlowProcesses> {
    const started = await FlowProcesses.start(lab);
    for (const [index, { steps, payload }] of before.entries())
      expect(await started.run(entities, steps, { payload, offset: BigInt(index + 1) })).toMatchObject({ status: 'completed' });
    return started;
  }

  /** Runs the event, cut or not, then replays it, lets something newer follow and replays it again. */
  async function play(flow: FlowCase, cut?: Cut) {
    const { entities, steps, payload, after } = flow;
    const own = await processes(flow);
    const event = { payload, offset: place };
    const outcome = await own.run(entities, steps, event, cut ? { cut } : {});
    const { calls } = own;
    const ran = await own.state();
    await own.run(entities, steps, event, { again: true });
    const replayed = await own.state();
    if (after) await own.run(entities, after.steps, { payload: after.payload, offset: place + 1n });
    const newer = await own.state();
    await own.run(entities, steps, event, { again: true });
    const late = await own.state();
    return { calls, told: { status: outcome.status, ran, replayed, newer, late } };
  }

  it.each(representativeFlows.map((flow) => [flow.name, flow] as const))(
    'never makes a second record or association, and loses no update: %s',
    async (_, flow) => {
      const uncut = await play(flow);
      expect(['completed', 'skipped']).toContain(uncut.told.status);
      expect(uncut.told.replayed).toEqual(uncut.told.ran);
      expect(uncut.told.late).toEqual(uncut.told.newer);
      expect(uncut.calls).toBeGreaterThan(0);
      for (let call = 1; call <= uncut.calls; call += 1)
        for (const landed of [false, true])
          for (const crashed of [false, true]) {
            const cut = { call, landed, crashed };
            expect({ cut, ...(await play(flow, cut)).told }).toEqual({ cut, ...uncut.told });
          }
    },
    // Up to a hundred runs of a flow, beside other suites on the same cores.
    240_000,
  );
});
