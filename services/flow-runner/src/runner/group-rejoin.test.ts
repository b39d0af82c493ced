import { GroupRejoin } from './group-rejoin';

function lab() {
  const told: string[] = [];
  let left: () => void = () => undefined;
  let refuse = false;
  const rejoin = new GroupRejoin({
    leave: () => new Promise((resolve) => {
      told.push('leave');
      left = resolve;
    }),
    join: async () => {
      told.push('join');
      if (refuse) throw new Error('no broker');
    },
    failed: (error) => told.push((error as Error).message),
  });
  return { told, rejoin, left: () => left(), refuseJoins: () => { refuse = true; } };
}
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('GroupRejoin', () => {
  it('joins once for all leases that are lost together, also while it still leaves', async () => {
    const { told, rejoin, left } = lab();
    for (let lease = 0; lease < 24; lease += 1) rejoin.ask();
    await turns();
    rejoin.ask();
    left();
    await rejoin.idle();
    expect(told).toEqual(['leave', 'join']);
  });

  it('joins again for a lease that is lost under the new membership', async () => {
    const { told, rejoin, left } = lab();
    rejoin.ask();
    await turns();
    left();
    await rejoin.idle();
    rejoin.ask();
    await turns();
    left();
    await rejoin.idle();
    expect(told).toEqual(['leave', 'join', 'leave', 'join']);
  });

  it('tells a failure and can be asked again', async () => {
    const { told, rejoin, left, refuseJoins } = lab();
    refuseJoins();
    rejoin.ask();
    await turns();
    left();
    await rejoin.idle();
    rejoin.ask();
    await turns();
    expect(told).toEqual(['leave', 'join', 'no broker', 'leave']);
  });
});
