import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundForeignLog, openBoundedLog } from './bounded-log';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-log-'));
  file = join(folder, 'sluice.log');
});
afterEach(() => rmSync(folder, { recursive: true }));
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

it('a log keeps its last lines in two files of bounded size, also over a restart', () => {
  const line = (index: number): string => `line ${String(index).padStart(4, '0')}\n`;
  for (const start of [0, 50]) {
    const log = openBoundedLog(file, 100);
    for (let index = start; index < start + 50; index++) log.write(line(index));
    log.destroy();
  }
  expect(readdirSync(folder).sort()).toEqual(['sluice.log', 'sluice.log.1']);
  expect(read('sluice.log.1') + read('sluice.log')).toBe(Array.from({ length: 20 }, (_, index) => line(80 + index)).join(''));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a line that cannot be written is lost, and nothing else happens', async () => {
  const log = openBoundedLog(file, 10);
  log.write('a first line\n');
  rmSync(file);
  expect(await new Promise((resolve) => log.write('a second line\n', (error) => resolve(error ?? 'no error')))).toBe('no error');
  log.destroy();
  expect(readdirSync(folder)).toEqual([]);
});

it('the log of another process is copied and emptied, and the process goes on writing to it', async () => {
  const handle = openSync(file, 'a');
  writeSync(handle, 'x'.repeat(100));
  await boundForeignLog(file, 100);
  expect(readdirSync(folder)).toEqual(['sluice.log']);
  writeSync(handle, 'y');
  await boundForeignLog(file, 100);
  writeSync(handle, 'after');
  closeSync(handle);
  expect([read('sluice.log'), read('sluice.log.1')]).toEqual(['after', `${'x'.repeat(100)}y`]);
  await boundForeignLog(join(folder, 'none'), 1);
});
