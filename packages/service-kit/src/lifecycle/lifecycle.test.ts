import { silentLogger } from '@sluice/ports';
import { createLifecycle } from './create-lifecycle';
import { runUntilSignal, type ProcessLike } from './run-until-signal';

function setup(stopDeadlineMs = 20_000) {
  const log: string[] = [];
  const lifecycle = createLifecycle({ name: 't', logger: silentLogger, stopDeadlineMs });
  const add = (name: string, parts: { start?: () => void | Promise<void>; stop?: () => void | Promise<void> } = {}) =>
    lifecycle.add(name, async () => (log.push(`+${name}`), parts.start?.()), async () => (log.push(`-${name}`), parts.stop?.()));
  return { lifecycle, log, add };
}

function fakeProcess() {
  const listeners = new Map<string, (...values: unknown[]) => void>();
  let exited: (code: number) => void = () => undefined;
  const exits: number[] = [];
  const exit = new Promise<number>((resolve) => (exited = resolve));
  const host: ProcessLike = {
    on: (event, listener) => listeners.set(event, listener),
    exit: (code) => exited(exits.push(code) && code),
  };
  return { host, exit, exits, send: (event: string, value?: unknown) => listeners.get(event)?.(value) };
}

test('starts in order and stops in reverse, once', async () => {
  const { lifecycle, log, add } = setup();
  ['a', 'b', 'c'].forEach((name) => add(name));
  await lifecycle.start();
  const [one, two] = await Promise.all([lifecycle.stop('x'), lifecycle.stop('y')]);
  expect(log).toEqual(['+a', '+b', '+c', '-c', '-b', '-a']);
  expect([one, two]).toEqual([{ clean: true }, { clean: true }]);
  expect(() => add('late')).toThrow('added after the start');
});

test('a failing start takes back what had started and passes its error on', async () => {
  const { lifecycle, log, add } = setup();
  add('a');
  add('b', { start: () => Promise.reject(new Error('no')) });
  add('c');
  await expect(lifecycle.start()).rejects.toThrow('no');
  expect(log).toEqual(['+a', '+b', '-a']);
});

test('a part that hangs or fails does not keep the others from stopping', async () => {
  const { lifecycle, log, add } = setup(100);
  add('a');
  add('hangs', { stop: () => new Promise(() => undefined) });
  add('throws', { stop: () => { throw new Error('no'); } });
  await lifecycle.start();
  expect(await lifecycle.stop('x')).toEqual({ clean: false });
  expect(log.slice(3)).toEqual(['-throws', '-hangs', '-a']);
});

test('a stop during the start waits for the part under way and starts no other', async () => {
  const { lifecycle, log, add } = setup();
  let finish: () => void = () => undefined;
  add('a', { start: () => new Promise((resolve) => (finish = resolve)) });
  add('b');
  const starting = lifecycle.start();
  const stopping = lifecycle.stop('x');
  finish();
  await Promise.all([starting, stopping]);
  expect(log).toEqual(['+a', '-a']);
});

test('SIGTERM drains and exits 0; a second one changes nothing', async () => {
  const { lifecycle, log, add } = setup();
  const { host, exit, send, exits } = fakeProcess();
  const warned: unknown[] = [];
  let drained: () => void = () => undefined;
  add('a', { stop: () => new Promise((resolve) => (drained = resolve)) });
  await runUntilSignal(lifecycle, { ...silentLogger, warn: (_message, fields) => void warned.push(fields) }, host);
  send('SIGTERM');
  send('SIGTERM');
  send('SIGINT');
  await new Promise(setImmediate);
  expect(log).toEqual(['+a', '-a']);
  expect(exits).toEqual([]);
  drained();
  expect(await exit).toBe(0);
  await new Promise(setImmediate);
  expect(exits).toEqual([0]);
  expect(warned).toEqual([{ signal: 'SIGTERM' }, { signal: 'SIGINT' }]);
});

test.each(['SIGTERM', 'SIGINT'])('%s exits 1 when a part fails to stop', async (signal) => {
  const { lifecycle, log, add } = setup();
  const { host, exit, send } = fakeProcess();
  add('a');
  add('fails', { stop: () => Promise.reject(new Error('no')) });
  await runUntilSignal(lifecycle, silentLogger, host);
  send(signal);
  expect(await exit).toBe(1);
  expect(log).toEqual(['+a', '+fails', '-fails', '-a']);
});

test.each(['uncaughtException', 'unhandledRejection'])('%s is logged, stops and exits 1', async (event) => {
  const { lifecycle, log, add } = setup();
  const { host, exit, send } = fakeProcess();
  const errors: unknown[] = [];
  add('a');
  await runUntilSignal(lifecycle, { ...silentLogger, error: (message, fields) => void errors.push([message, fields]) }, host);
  send(event, new Error('bug'));
  expect(await exit).toBe(1);
  expect(log).toEqual(['+a', '-a']);
  expect(errors).toEqual([[event, { error: new Error('bug') }]]);
});

test('a failed start exits 1', async () => {
  const { lifecycle, add } = setup();
  const { host, exit } = fakeProcess();
  add('a', { start: () => Promise.reject(new Error('no')) });
  await runUntilSignal(lifecycle, silentLogger, host);
  expect(await exit).toBe(1);
});

test('a signal during a start that then fails still exits', async () => {
  const { lifecycle, add } = setup();
  const { host, exit, send } = fakeProcess();
  let fail: (error: Error) => void = () => undefined;
  add('a', { start: () => new Promise((_resolve, reject) => (fail = reject)) });
  const running = runUntilSignal(lifecycle, silentLogger, host);
  send('SIGTERM');
  fail(new Error('no'));
  await running;
  expect(await exit).toBe(0);
});
