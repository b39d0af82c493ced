import { type DeadOwner, monotonicClock } from '@sluice/ports';
import { createRecordingLogger } from '@sluice/ports/testing';
import { DeadRunners } from './dead-runners';

const inbound = (partition: number) => ({ topic: 'events.inbound', partition });
const outbound = { topic: 'events.outbound', partition: 1 };

function lab(dead: DeadOwner[]) {
  const logger = createRecordingLogger();
  const [asked, removed] = [[] as number[], [] as string[]];
  const faults = { busAway: false };
  const clock = { time: 0 };
  const looks = new DeadRunners({
    ownership: { deadOwners: async (silentMs) => { asked.push(silentMs); return dead; } },
    bus: {
      removeMember: async (topic, group, member) => {
        if (faults.busAway) throw new Error('no broker');
        return removed.push(`${member} of ${group}.${topic}`);
      },
    },
    group: 'flow-runner', owner: 'me', silentMs: 3_000, monotonicNow: monotonicClock(() => clock.time), logger,
  });
  const told = (): string[] => logger.lines.map(({ message, fields }) => `${message}: ${String(fields['owner'])}`);
  return { looks, logger, clock, asked, removed, faults, told };
}

const died = 'a flow runner died, its partitions move';

describe('runners that died', () => {
  it('are removed from the groups of their topics, every two seconds, and told once', async () => {
    const { looks, logger, clock, asked, removed } = lab([
      { owner: 'other', silentMs: 3_210.4, partitions: [inbound(1), inbound(2), outbound] },
    ]);
    await looks.look();
    clock.time = 1_999;
    await looks.look();
    const once = ['other of flow-runner.events.inbound', 'other of flow-runner.events.outbound'];
    expect(removed).toEqual(once);
    clock.time = 2_000;
    await looks.look();
    expect(asked).toEqual([3_000, 3_000, 3_000]);
    expect(removed).toEqual([...once, ...once]);
    expect(logger.lines).toEqual([{ level: 'warn', message: died, fields: { owner: 'other', silent_ms: 3_210, partitions: 3 } }]);
  });

  it('are told again when they come back and die again', async () => {
    const dead: DeadOwner[] = [{ owner: 'other', silentMs: 3_000, partitions: [inbound(1)] }];
    const { looks, told } = lab(dead);
    await looks.look();
    const gone = dead.pop()!;
    await looks.look();
    dead.push(gone);
    await looks.look();
    expect(told()).toEqual([`${died}: other`, `${died}: other`]);
  });

  it('are others than this one', async () => {
    const { looks, removed, told } = lab([{ owner: 'me', silentMs: 9_000, partitions: [inbound(1)] }]);
    await looks.look();
    expect([removed, told()]).toEqual([[], []]);
  });

  it('are removed later when the log does not answer', async () => {
    const { looks, clock, removed, faults, told } = lab([{ owner: 'other', silentMs: 3_000, partitions: [inbound(1)] }]);
    faults.busAway = true;
    await looks.look();
    faults.busAway = false;
    clock.time = 2_000;
    await looks.look();
    expect(removed).toHaveLength(1);
    expect(told()).toEqual([`${died}: other`, 'a flow runner that died was not removed from its group: other']);
  });
});
