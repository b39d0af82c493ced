import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createLogger } from '@sluice/service-kit';
import { openLogTarget } from './create-story';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'sluice-log-')); });
afterEach(() => rmSync(folder, { recursive: true }));

/** What a start writes at every level: the messages in the file and on stdout. */
function logged(isTTY: boolean): [file: string[], stdout: string[]] {
  const out = Object.assign(new PassThrough(), { isTTY });
  const { file, ...target } = openLogTarget(folder, out as unknown as NodeJS.WriteStream);
  const logger = createLogger({ service: 'standalone', level: 'debug', ...target });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level);
  const messages = (text: string): string[] =>
    text.split('\n').filter(Boolean).map((line) => (JSON.parse(line) as { message: string }).message);
  return [messages(readFileSync(file, 'utf8')), messages(String(out.read() ?? ''))];
}

it('every line goes to the file; stdout gets warnings and errors where it is no terminal', () => {
  expect(logged(false)).toEqual([['debug', 'info', 'warn', 'error'], ['warn', 'error']]);
});

it('a terminal shows none of them', () => {
  expect(logged(true)).toEqual([['debug', 'info', 'warn', 'error'], []]);
});
