import { readFileSync } from 'node:fs';
import { createRecordingLogger, until } from '@sluice/ports/testing';
import { childMemoryMb, handler, onLinux, openLab, otherScript } from '../test-support/lab';

/** What a child does that has left QuickJS: nothing stops it but the operating system. */
describe('a guest that left QuickJS', () => {
  const isLinux = process.platform === 'linux';
  it('finds no environment, no file, no process and no network', async () => {
    const logger = createRecordingLogger();
    const lab = openLab({ script: otherScript('hostile-child.ts'), waitMs: 1_000 }, logger);
    const waiting = lab.platform.deploy({ organizationId: 'o', pluginId: 'p', developerId: null }, handler('')).catch(() => null);
    // Its report comes with its message of being ready: what it could do stands among what is missing.
    await lab.platform.pool.firstReady();
    await lab.close();
    await waiting;
    // Other systems have no third wall, and the service says so.
    expect(logger.lines).toEqual(isLinux ? [] : [expect.anything()]);
  });

  onLinux('the limits of a process are read from /proc')(
    'has the limits of its process, and a process group of its own in the session of the service', async () => {
    const lab = openLab();
    const name = await lab.deploy(handler('return 1;'), 'limits');
    await lab.invoke(name);
    const [pid] = lab.platform.pool.pidsOf('limits');
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    const limitOf = (title: string): string => new RegExp(`^${title} +(\\S+)`, 'm').exec(limits)?.[1] ?? '';
    expect({
      file: limitOf('Max file size'), core: limitOf('Max core file size'), processes: limitOf('Max processes'),
      files: limitOf('Max open files'), data: limitOf('Max data size'),
    }).toEqual({ file: '0', core: '0', processes: '0', files: '0', data: String(childMemoryMb * 1024 * 1024) });
    expect(limitOf('Max address space')).toMatch(/^\d+$/);
    expect(limitOf('Max cpu time')).toMatch(/^\d+$/);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    expect(stat[2]).toBe(String(pid));
    const ownStat = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    expect(stat[3]).toBe(ownStat[3]);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
    await lab.close();
  });
});

/** What the service does with a child that breaks the protocol. */
describe('a child that sends', () => {
  const ended = [
    'random bytes', 'a frame without an end', 'a frame over the bound', 'a head that is no JSON', 'a head longer than its frame',
    'an unknown message', 'a prototype key', 'a further field', 'a missing field', 'a wrong type', 'a negative number',
    'an answer to nothing', 'a request for nothing', 'a request twice', 'a thousand requests', 'to be ready again',
    'a function it was not given', 'an unknown level of the log', 'nothing and ends',
  ];
  let lab: ReturnType<typeof openLab>;
  beforeAll(() => {
    lab = openLab({ script: otherScript('lying-child.ts') });
  });
  afterAll(() => lab.close());

  it.each(ended)('%s is ended, and what was under way in it is interrupted', async (lie) => {
    const name = await lab.deploy(lie, 'liar');
    const before = lab.platform.pool.pidsOf('liar');
    expect(await lab.invoke(name)).toMatchObject({ kind: 'interrupted' });
    const honest = await lab.deploy('the truth', 'liar');
    expect(await lab.invoke(honest)).toMatchObject({ kind: 'returned', value: { answered: true } });
    expect(lab.platform.pool.pidsOf('liar')).not.toEqual(before);
  });

  it('an answer twice is ended after the first, which counts', async () => {
    const name = await lab.deploy('an answer twice', 'liar');
    expect(await lab.invoke(name)).toMatchObject({ kind: 'returned', value: { answered: true } });
    const honest = await lab.deploy('the truth', 'liar');
    // The second answer may be read a moment later.
    await until('the child was replaced', async () => (await lab.invoke(honest)).kind === 'returned');
  });

  it.each([
    ['a value that is no JSON', { kind: 'threw' }],
    ['a value over the bound', { kind: 'limit', limit: 'response' }],
    ['a nested value', { kind: 'limit', limit: 'response' }],
  ])('%s is not believed', async (lie, answer) => {
    expect(await lab.invoke(await lab.deploy(lie, 'liar'))).toMatchObject(answer);
  });
});
