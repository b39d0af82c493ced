/** The lock of the bootstrap: one at a time, also when many take over from a dead process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const ended = (child) => new Promise((resolve) => child.on('exit', resolve));

let folder;
let dead;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
  const child = spawn(process.execPath, ['-e', '']);
  dead = child.pid;
  await ended(child);
});
after(() => rmSync(folder, { recursive: true }));

test('takes over from a dead process, and leaves nothing behind', async () => {
  for (const content of [String(dead), '']) {
    const path = join(folder, 'dead.lock');
    writeFileSync(path, content);
    assert.equal(await withLock(() => readFileSync(path, 'utf8'), path), String(process.pid));
    assert.equal(existsSync(path), false);
  }
  assert.deepEqual(readdirSync(folder), []);
});

test('a failure of the work lets go of the lock', async () => {
  const path = join(folder, 'failing.lock');
  await assert.rejects(withLock(() => Promise.reject(new Error('no')), path), /no/);
  assert.equal(await withLock(() => 'next', path), 'next');
});

test('waits while another process removes a dead lock; one that died at it is not waited for', async () => {
  const path = join(folder, 'guarded.lock');
  const removal = `${path}.removal`;
  writeFileSync(path, String(dead));
  writeFileSync(removal, String(process.pid));
  let done = false;
  const work = withLock(() => { done = true; }, path);
  for (let look = 0; look < 5; look += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(done, false);
  assert.equal(readFileSync(path, 'utf8'), String(dead));
  utimesSync(removal, new Date(0), new Date(0));
  await work;
  assert.equal(done, true);
});

test('eight processes that find the lock of a dead one work one after the other', async () => {
  const path = join(folder, 'many.lock');
  const log = join(folder, 'many.log');
  writeFileSync(path, String(dead));
  appendFileSync(log, '');
  const code = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { withLock } from ${JSON.stringify(fileURLToPath(new URL('./lock.mjs', import.meta.url)))};
    const [log, path] = process.argv.slice(1);
    await withLock(async () => {
      appendFileSync(log, 'in ' + process.pid + '\\n');
      await sleep(5);
      appendFileSync(log, 'out ' + process.pid + '\\n');
    }, path);`;
  const children = Array.from({ length: 8 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code, '--', log, path], { stdio: 'inherit' }));
  assert.deepEqual(await Promise.all(children.map(ended)), children.map(() => 0));
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  assert.equal(lines.length, 16);
  for (let at = 0; at < lines.length; at += 2) assert.equal(lines[at + 1], lines[at].replace('in', 'out'));
});
