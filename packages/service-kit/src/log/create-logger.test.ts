import { Writable } from 'node:stream';
import { createLogger, type LoggerOptions } from './create-logger';
import { startWideEvent } from './wide-event';

function logTo(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const stream = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk).trimEnd()), done()) });
  return { logger: createLogger({ service: 's', stream, ...options }), lines, last: () => JSON.parse(lines.at(-1) ?? 'null') };
}

test('writes one JSON object per line, with the fields of its parents', () => {
  const { logger, lines, last } = logTo();
  logger.child({ a: 1 }).child({ b: 2 }).warn('words', { c: [3], message: 'other' });
  expect(lines).toHaveLength(1);
  expect(last()).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: 'warn',
    service: 's',
    message: 'words',
    a: 1,
    b: 2,
    c: [3],
    message_: 'other',
  });
});

test('leaves out what is below its level', () => {
  const { logger, lines } = logTo({ level: 'warn' });
  logger.info('no');
  logger.error('yes');
  expect(lines).toHaveLength(1);
});

test('a second stream gets the lines from its level on, and none below the level of the log', () => {
  const copied: string[] = [];
  const stream = new Writable({ write: (chunk, _encoding, done) => (copied.push(String(chunk)), done()) });
  const messages = (lines: readonly string[]): string[] => lines.map((line) => JSON.parse(line).message);
  const both = logTo({ copy: { stream, level: 'warn' } });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) both.logger[level](level);
  expect([messages(both.lines), messages(copied)]).toEqual([['info', 'warn', 'error'], ['warn', 'error']]);
  const quiet = logTo({ level: 'error', copy: { stream, level: 'warn' } });
  quiet.logger.warn('quiet');
  expect([quiet.lines, copied.length]).toEqual([[], 2]);
});

test('collects fields only for a line that is written', () => {
  const gather = jest.fn(() => ({ a: 1, api_key: 'v1' }));
  const quiet = logTo();
  quiet.logger.debug('words', gather);
  expect([gather.mock.calls.length, quiet.lines]).toEqual([0, []]);
  const talking = logTo({ level: 'debug' });
  talking.logger.debug('words', gather);
  expect(talking.last()).toMatchObject({ a: 1, api_key: '[redacted]' });
});

test('redacts by name, at any depth, and keeps numbers and booleans', () => {
  const { logger, last } = logTo();
  logger.info('x', {
    'X-Api-Key': 'v1',
    data: { access_token: 'v2', list: [{ clientSecret: 'v3' }] },
    set_cookie: ['v4'],
    Authorization: 'v5',
    has_password: true,
    tokens_left: 3,
    password: null,
  });
  expect(last()).toMatchObject({
    data: { access_token: '[redacted]', list: [{ clientSecret: '[redacted]' }] },
    has_password: true,
    tokens_left: 3,
    password: null,
  });
  expect(JSON.stringify(last())).not.toMatch(/v[1-5]/);
});

test('masks registered secrets everywhere', () => {
  const { logger, lines } = logTo({ secrets: ['hunter"22'] });
  logger.hide('later-secret');
  logger.info('with hunter"22 inside', { error: new Error('url?x=later-secret') });
  expect(lines[0]).not.toMatch(/hunter|later-secret/);
  expect(JSON.parse(lines[0] ?? '').message).toBe('with [redacted] inside');
});

test('hashes personal data in the message, the fields and errors, unless it is told otherwise', () => {
  const { logger, lines } = logTo();
  const told = (target: typeof logger) =>
    target
      .child({ external_id: 'K-1001' })
      .warn('for ann@mail.example', { error: new Error('K-1001 of ann@mail.example', { cause: 'ann@mail.example' }) });
  told(logger);
  expect(lines[0]).not.toMatch(/ann@|K-1001/);
  const open = logTo({ personalData: true });
  told(open.logger);
  expect(open.last()).toMatchObject({
    external_id: 'K-1001',
    message: 'for ann@mail.example',
    error: { cause: 'ann@mail.example' },
  });
});

test('logs errors with cause, code and stack, and survives what is not JSON', () => {
  const { logger, last } = logTo();
  const circle: Record<string, unknown> = { big: 1n };
  circle.self = circle;
  logger.error('x', {
    error: Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'E' }),
    circle,
    many: Array(150).fill(0),
  });
  const line = last();
  expect(line.error).toMatchObject({
    name: 'Error',
    message: 'outer',
    code: 'E',
    cause: { message: 'inner' },
    stack: expect.stringContaining('create-logger.test'),
  });
  expect(line.circle).toEqual({ big: '1', self: '[circular]' });
  expect(line.many.at(-1)).toBe('[50 more]');
});

test('writes readable lines on a terminal', () => {
  const { logger, lines } = logTo({ readable: true });
  logger.info('started', { port: 1, words: 'two words' });
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} .*info.* s: started port=1 words="two words"$/);
});

test('a wide event is one line, once', () => {
  const { logger, lines, last } = logTo();
  const event = startWideEvent(logger, 'event', { a: 1 });
  event.add({ a: 2 });
  event.count('calls');
  event.count('calls', 2);
  event.end('warn', { b: 3 });
  event.end();
  expect(lines).toHaveLength(1);
  expect(last()).toMatchObject({ level: 'warn', message: 'event', a: 2, calls: 3, b: 3, duration_ms: expect.any(Number) });
});
