import { getPriority } from 'node:os';
import { until } from '@sluice/ports/testing';
import { handler, type Lab, openLab } from '../test-support/lab';

const busy = (ms: number): string => handler(`const end = Date.now() + ${ms}; while (Date.now() < end); return 1;`);

describe('the children of functions', () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const pidOf = (organizationId: string): number | undefined => lab.platform.pool.pidsOf(organizationId)[0];

  it('serve one organization each, and stay warm', async () => {
    lab = openLab();
    const [mine, other] = [await lab.deploy(handler('return 1;'), 'mine'), await lab.deploy(handler('return 2;'), 'other')];
    const pid = pidOf('mine');
    for (let turn = 0; turn < 3; turn += 1) await Promise.all([lab.invoke(mine), lab.invoke(other)]);
    expect(lab.platform.pool.pidsOf('mine')).toEqual([pid]);
    expect(pidOf('other')).not.toBe(pid);
  });

  it('are at most so many: another organization gets the place of one without work, and a turn while all have', async () => {
    lab = openLab({ maxChildren: 2, maxPerOrganization: 2 });
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

  it('turn work away that waited too long, or is too much', async () => {
    lab = openLab({ maxChildren: 1, maxPerOrganization: 1, waitMs: 300 });
    const name = await lab.deploy(busy(400), 'busy');
    const answers = await Promise.all(Array.from({ length: 1_100 }, () => lab.invoke(name)));
    const kinds = new Set(answers.map(({ kind }) => kind));
    expect(kinds).toContain('busy');
    expect(answers.filter(({ kind }) => kind === 'busy')[0]).toEqual({ kind: 'busy', retryAfterMs: 2_000 });
  }, 60_000);

  it('end when they had no work for a while', async () => {
    lab = openLab({ idleMs: 200 });
    await lab.invoke(await lab.deploy(handler('return 1;'), 'idle'));
    const pid = pidOf('idle')!;
    await until('the child is gone', () => pidOf('idle') === undefined);
    expect(() => process.kill(pid, 0)).toThrow();
    await until('the spare is gone', () => lab.platform.pool.size === 0);
  });

  it('that hang are ended from outside; alone in its process, a function has reached its limit of time', async () => {
    lab = openLab({ bounds: { wallMs: 300 } });
    const name = await lab.deploy(handler('return 1;'), 'hangs');
    await lab.invoke(name);
    const pid = pidOf('hangs')!;
    const slow = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 5_000));'), 'hangs');
    // Stopped by the system, it does nothing any more: not even its own limit of time.
    const underWay = lab.invoke(slow);
    await until('it runs', () => lab.platform.pool.loadOf('hangs') === 1);
    process.kill(pid, 'SIGSTOP');
    expect(await underWay).toMatchObject({ kind: 'limit', limit: 'time' });
    expect(await lab.invoke(name)).toMatchObject({ value: 1 });
    expect(pidOf('hangs')).not.toBe(pid);
  });

  it('that hang with several functions under way interrupt all; each then runs alone', async () => {
    lab = openLab({ bounds: { wallMs: 300 }, maxPerOrganization: 1 });
    const slow = await lab.deploy(handler('await new Promise((r) => setTimeout(r, 5_000));'), 'hangs');
    const hangs = async (count: number): Promise<string[]> => {
      const underWay = Promise.all(Array.from({ length: count }, () => lab.invoke(slow)));
      await until('they run', () => lab.platform.pool.loadOf('hangs') > 0);
      process.kill(pidOf('hangs')!, 'SIGSTOP');
      return (await underWay).map(({ kind }) => kind);
    };
    expect(await hangs(2)).toEqual(['interrupted', 'interrupted']);
    expect(await hangs(1)).toEqual(['limit']);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('give way to the service, and those that compute much to the other children', async () => {
    lab = openLab({ bounds: { wallMs: 30_000 }, maxPerOrganization: 1 });
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
    await lab.invoke(await lab.deploy(handler('return 1;'), 'flood'));
    expect(prioritiesOf('flood')).toEqual([17]);
  }, 60_000);

  it('end with the service', async () => {
    lab = openLab();
    await lab.invoke(await lab.deploy(handler('return 1;'), 'closing'));
    const pid = pidOf('closing')!;
    const underWay = lab.invoke(await lab.deploy(handler('await new Promise((r) => setTimeout(r, 800));'), 'closing'));
    await lab.close();
    expect((await underWay).kind).not.toBe('returned');
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
