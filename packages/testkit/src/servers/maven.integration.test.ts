import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyWithDependencies } from './maven';
import { ServerUnavailable } from './server-unavailable';

/** A Maven that notes when it begins and ends, and fails so often. */
function mavenThatFails(times: number): { mvn: string; folder: string; log(): string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-maven-'));
  const [mvn, log] = [join(folder, 'mvn'), join(folder, 'log')];
  writeFileSync(log, '');
  writeFileSync(mvn, `#!/bin/sh
echo begin >> ${log}
sleep 0.2
echo end >> ${log}
[ $(grep -c end ${log}) -le ${times} ] && echo '[ERROR] the registry is away' && exit 1
exit 0
`, { mode: 0o755 });
  return { mvn, folder, log: () => readFileSync(log, 'utf8').trim().split('\n') };
}

test('a download that fails is tried again, and no two are under way at once', async () => {
  const { mvn, folder, log } = mavenThatFails(2);
  const copy = (server: 'Kafka' | 'Redis') => copyWithDependencies(server, 'group:name:1', folder, { mvn, waitsMs: [10, 20] });
  await Promise.all([copy('Kafka'), copy('Redis')]);
  expect(log()).toEqual(Array.from({ length: 4 }, () => ['begin', 'end']).flat());
  rmSync(folder, { recursive: true });
});

test('what cannot be fetched says why, and the next download has its own tries', async () => {
  const { mvn, folder } = mavenThatFails(2);
  const copy = () => copyWithDependencies('Kafka', 'group:name:1', folder, { mvn, waitsMs: [10] });
  const refused = await copy().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServerUnavailable);
  expect((refused as Error).message).toContain('the registry is away');
  await copy();
  rmSync(folder, { recursive: true });
});
