import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../eventually';
import { assertKafkaReady } from './kafka-wire';
import { keep } from '../keep';

/** Exit code of a Java that was told to end, and did so in its own time. */
const endedBySigterm = '143';

/**
 * Runs a broker once and has Java write the classes that it loaded into a file, ready for use by the next start
 * (`-XX:SharedArchiveFile`). Without the file a broker starts too, only slower.
 * @param folder of the broker: its settings and log
 * @param port the broker's
 */
export async function recordClasses(libs: string, folder: string, port: number, file: string): Promise<void> {
  const args = [`-XX:ArchiveClassesAtExit=${file}`, '-cp', join(libs, '*'), 'kafka.Kafka', join(folder, 'server.properties')];
  const plan = { command: 'java', args: ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...args], env: process.env };
  // Java writes the file at the end of an orderly shutdown.
  const kept = await keep({ ...plan, cwd: folder, log: join(folder, 'kafka.log'), stopSignal: 'SIGKILL', keepSignal: 'SIGTERM' });
  let alive = true;
  void kept.ended.then(() => (alive = false));
  const ready = async (): Promise<true> => (alive ? assertKafkaReady(port) : true);
  await eventually(ready, { timeoutMs: 120_000, everyMs: 100 }).finally(() => kept.stop({ keep: true }));
  // Half a file would end every Java that reads it.
  if ((await kept.ended) !== endedBySigterm) rmSync(file, { force: true });
}
