import { getPriority } from 'node:os';
import { until } from '@sluice/ports/testing';
import { handler, type Lab, onLinux, openLab } from '../test-support/lab';

/** A limit of time that no function here reaches by itself: processes of functions give way to all other work of the machine. */
const patient = { wallMs: 30_000 };
const busy = (ms: number): string => handler(`const end = Date.now() + ${ms}; while (Date.now() < end); return 1;`);

describe('the children of functions', () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const pidOf = (organizationId: string): number | undefined => lab.platform.pool.pidsOf(organizationId)[0];

  it('serve one organization each, and stay warm', async () => {
    lab = openLab({ bounds: patient });
    const [mine, other] = [await lab.deploy(handler('return 1;'), 'mine'), await lab.deploy(handler('return 2;'), 'other')];
    const pid = pidOf('mine');
    for (let turn = 0; turn < 3; turn += 1) await Promise.all([lab.invoke(mine), lab.invoke(other)]);
    expect(lab.platform.pool.pidsOf('mine')).toEqual([pid]);
    expect(pidOf('other')).not.toBe(pid);
  });

  it('are at most so many: another organization gets the place of one without work, and a turn while all have', async () => {
    lab = openLab({ maxChildren: 2, maxPerOrganization: 2, bounds: patient });
    const [first, second] = [await lab.deploy(busy(300), 'first'), await lab.deploy(busy(1), 'second')];
    const third = await lab.deploy(handler('return 3;'), 'third');
    // And the spare one.
    expect(lab.platform.pool.size).toBeLessThanOrEqual(3);
    let answered = 0;
    const flood = Promise.all(Array.from({ length: 30 }, () => lab.invoke(first).then(() => (answered += 1))));
    await until('the flood runs', () => answered > 2);
    expect(await lab.invoke(third)).toMatchObject({ value: 3 });
    expect(await lab.invoke(second)).toMatchObject({ value: 1 });
    // They did not wait for all of the first organization.
    expect(answered).toBeLessThan(30);
    await flood;
  });

  it('turn work away that waited too long', async () => {
    lab = openLab({ maxChildren: 1, maxPerOrganization: 1, waitMs: 300 });
    const name = await lab.deploy(busy(400), 'busy');
    const answers = await Promise.all(Array.from({ length: 20 }, () => lab.invoke(name)));
    expect(answers.filter(({ kind }) => kind === 'busy')[0]).toEqual({ kind: 'busy', retryAfterMs: 2_000 });
  });

  it('turn work away at once when too much waits', async () => {
    lab = openLab({ maxChildren: 1, maxPerOrganization: 1, waitMs: 600_000, maxWaiting: 3, bounds: patient });
    const name = await lab.deploy(busy(1), 'busy');
    const answers = await Promise.all(Array.from({ length: 10 }, () => lab.invoke(name)));
    // Four are under way in the process, three wait.
    expect(answers.map(({ kind }) => kind)).toEqual([...Array(7).fill('returned'), ...Array(3).fill('busy')]);
  });

  it('take in a burst of as many events as a flow runner has under way of one organization', async () => {
    lab = openLab({ waitMs: 600_000, bounds: patient });
    const name = await lab.deploy(handler('return 1;'), 'burst');
    const answers = await Promise.all(Array.from({ length: 2_000 }, () => lab.invoke(name)));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['returned']));
  }, 120_000);

  it('end when they had no work for a while', async () => {
    lab = openLab({ idleMs: 200 });
    await lab.invoke(await lab.deploy(handler('return 1;'), 'idle'));
    const pid = pidOf('idle')!;
    await until('the child is gone', () => pidOf('idle') === undefined);
    expect(() => process.kill(pid, 0)).toThrow();
    await until('the spare is gone', () => lab.platform.pool.size === 0);
  });

  it('that hang are ended from outside; alone in its process, a function has reached its limit of time', async () => {
    lab = openLab({ bounds: { wallMs: 2_000 } });
    const name = await lab.deploy(handler('return 1;'), 'hangs');
    await lab.invoke(name);
    const pid = pidOf('hangs')!;
    const slow = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 60_000));'), 'hangs');
    // Stopped by the system, it does nothing any more: not even its own limit of time.
    const underWay = lab.invoke(slow);
    await until('it runs', () => lab.platform.pool.loadOf('hangs') === 1);
    process.kill(pid, 'SIGSTOP');
    expect(await underWay).toMatchObject({ kind: 'limit', limit: 'time' });
    expect(await lab.invoke(name)).toMatchObject({ value: 1 });
    expect(pidOf('hangs')).not.toBe(pid);
  });

  it('that hang with several functions under way interrupt all; each then runs alone', async () => {
    lab = openLab({ bounds: { wallMs: 2_000 }, maxPerOrganization: 1 });
    const slow = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 60_000));'), 'hangs');
    const hangs = async (count: number): Promise<string[]> => {
      const underWay = Promise.all(Array.from({ length: count }, () => lab.invoke(slow)));
      await until('they run', () => lab.platform.pool.loadOf('hangs') > 0);
      process.kill(pidOf('hangs')!, 'SIGSTOP');
      return (await underWay).map(({ kind }) => kind);
    };
    expect(await hangs(2)).toEqual(['interrupted', 'interrupted']);
    expect(await hangs(1)).toEqual(['limit']);
  });

  it('wait with the next invocations of an organization that moves much while the service is busy, and with no others',
    async () => {
    let isBusy = true;
    lab = openLab({ bytesPerSecond: 1_024, isLoopBusy: () => isBusy, waitMs: 300, bounds: patient });
    const [large, small] = [await lab.deploy(handler(`return 'x'.repeat(200_000);`), 'loud'),
      await lab.deploy(handler('return 1;'), 'quiet')];
    // What it moves is known when it has ended.
    expect(await lab.invoke(large)).toMatchObject({ kind: 'returned' });
    expect(await lab.invoke(large)).toMatchObject({ kind: 'busy' });
    for (let turn = 0; turn < 3; turn += 1) expect(await lab.invoke(small)).toMatchObject({ value: 1 });
    isBusy = false;
    expect(await lab.invoke(large)).toMatchObject({ kind: 'returned' });
  });

  it.each([
    ['what it logs', `for (let line = 0; line < 100; line += 1) console.log('x'.repeat(2_000));`],
    ['what it is given', ''],
  ])('count %s', async (_, body) => {
    lab = openLab({ bytesPerSecond: 1_024, isLoopBusy: () => true, waitMs: 300, bounds: patient });
    const name = await lab.deploy(handler(body), 'loud');
    const payload = body === '' ? { text: 'x'.repeat(200_000) } : {};
    expect(await lab.invoke(name, { payload })).toMatchObject({ kind: 'returned' });
    expect(await lab.invoke(name)).toMatchObject({ kind: 'busy' });
  });

  onLinux('only Linux tells what a process has used')(
    'wait with the next invocations of an organization that computes for long while the service is busy and others run functions',
    async () => {
    let isBusy = true;
    lab = openLab({ computeMsPerSecond: 1, isLoopBusy: () => isBusy, waitMs: 300, bounds: { wallMs: 90_000 } });
    const long = await lab.deploy(busy(1_000), 'loud');
    const other = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 80_000));'), 'other');
    // Alone it may go on.
    for (let turn = 0; turn < 3; turn += 1) expect(await lab.invoke(long)).toMatchObject({ kind: 'returned' });
    const underWay = lab.invoke(other);
    expect(await lab.invoke(long)).toMatchObject({ kind: 'busy' });
    isBusy = false;
    await until('it may go on', async () => (await lab.invoke(long)).kind === 'returned');
    await lab.close();
    expect(await underWay).toMatchObject({ kind: 'interrupted' });
  }, 120_000);

  onLinux('only Linux tells what a process has used')(
    'get nothing further while a function of theirs computes, the service is busy, and others run functions', async () => {
    lab = openLab({ computeMsPerSecond: 100_000, isLoopBusy: () => true, bounds: { wallMs: 90_000 } });
    const { pool } = lab.platform;
    const [long, short] = [await lab.deploy(busy(5_000), 'loud'), await lab.deploy(handler('return 1;'), 'loud')];
    const small = await lab.deploy(handler('return 1;'), 'other');
    const other = lab.invoke(await lab.deploy(handler('await new Promise((r) => setTimeout(r, 80_000));'), 'other'));
    const first = lab.invoke(long);
    await until('it runs', () => pool.loadOf('loud') === 1);
    const since = performance.now();
    // And was looked at.
    await until('it was not heard of for a while', () => performance.now() - since > 1_000);
    const further = [lab.invoke(short), lab.invoke(short)];
    expect(await lab.invoke(small)).toMatchObject({ value: 1 });
    expect(pool.loadOf('loud')).toBe(1);
    for (const answer of await Promise.all([first, ...further])) expect(answer).toMatchObject({ value: 1 });
    await lab.close();
    expect(await other).toMatchObject({ kind: 'interrupted' });
  }, 120_000);

  onLinux('only Linux tells what a process has used')(
    'give way to the service, and those that compute much to the other children', async () => {
    let isBusy = false;
    lab = openLab({ bounds: patient, maxPerOrganization: 2, isLoopBusy: () => isBusy });
    const [small, endless] = [await lab.deploy(handler('return 1;'), 'small'), await lab.deploy(handler('for (;;);'), 'flood')];
    const prioritiesOf = (organizationId: string): number[] =>
      lab.platform.pool.pidsOf(organizationId).map((pid) => getPriority(pid));
    await lab.invoke(small);
    const flood = lab.invoke(endless);
    await until('the flood has given way', () => prioritiesOf('flood')[0] === 17);
    expect(prioritiesOf('small')).toEqual([5]);
    process.kill(pidOf('flood')!, 'SIGKILL');
    expect(await flood).toMatchObject({ kind: 'interrupted' });
    // The next process of the organization starts like that.
    const waiting = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 200)); return 1;'), 'flood');
    expect(prioritiesOf('flood')).toEqual([17]);
    // While the service is busy it is the only one.
    const many = () => Promise.all(Array.from({ length: 10 }, () => lab.invoke(waiting)));
    isBusy = true;
    for (const answer of await many()) expect(answer).toMatchObject({ value: 1 });
    expect(prioritiesOf('flood')).toEqual([17]);
    isBusy = false;
    const answers = many();
    await until('there is another one', () => prioritiesOf('flood').length === 2);
    for (const answer of await answers) expect(answer).toMatchObject({ value: 1 });
  }, 120_000);

  it('end with the service', async () => {
    lab = openLab({ bounds: patient });
    await lab.invoke(await lab.deploy(handler('return 1;'), 'closing'));
    const pid = pidOf('closing')!;
    const underWay = lab.invoke(await lab.deploy(handler('await new Promise((r) => setTimeout(r, 60_000));'), 'closing'));
    await lab.close();
    expect((await underWay).kind).not.toBe('returned');
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
