import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ServerUnavailable } from './server-unavailable';

const exec = promisify(execFile);
const downloadTimeoutMs = 5 * 60_000;
/** A registry that is away for a moment must not cost a run its tests. */
const usualWaitsMs = [5_000, 20_000];
const neededJava = 17;

/** The download under way: two Mavens at once would write the same files of the local repository. */
let underWay: Promise<unknown> = Promise.resolve();

interface CopyOptions {
  /** The program. Default: the one on the PATH. */
  mvn?: string;
  /** Waits before other tries. */
  waitsMs?: readonly number[];
}

/**
 * Copies a Maven artifact and all it depends on into a folder, one at a time.
 * @param artifact `group:name:version`
 * @throws ServerUnavailable when Maven is missing or the download fails
 */
export function copyWithDependencies(
  server: 'Kafka' | 'Redis', artifact: string, folder: string, options: CopyOptions = {},
): Promise<void> {
  const mine = underWay.then(() => copy(server, artifact, folder, options));
  // Its caller is told when it fails; the next one only waits for its end.
  underWay = mine.catch(() => undefined);
  return mine;
}

async function copy(
  server: 'Kafka' | 'Redis', artifact: string, folder: string, { mvn = 'mvn', waitsMs = usualWaitsMs }: CopyOptions,
): Promise<void> {
  const [groupId, artifactId, version] = artifact.split(':');
  writeFileSync(
    join(folder, 'pom.xml'),
    `<project><modelVersion>4.0.0</modelVersion><groupId>local</groupId><artifactId>libs</artifactId><version>1</version>
<dependencies><dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency></dependencies></project>\n`,
  );
  const args = [
    '-q',
    '-B',
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${join(folder, 'libs')}`,
  ];
  for (let tries = 0; ; tries += 1) {
    try {
      // -U: what an earlier try did not find is asked for again.
      await exec(mvn, tries === 0 ? args : ['-U', ...args], { cwd: folder, timeout: downloadTimeoutMs });
      return;
    } catch (thrown) {
      const error = thrown as NodeJS.ErrnoException & { stdout?: string };
      if (error.code === 'ENOENT') throw new ServerUnavailable(server, 'Maven (mvn) is not installed');
      const waitMs = waitsMs[tries];
      if (waitMs === undefined) throw new ServerUnavailable(server, `Maven could not fetch ${artifact}: ${firstError(error.stdout)}`);
      process.stderr.write(`Maven could not fetch ${artifact}, and tries again: ${firstError(error.stdout)}\n`);
      await sleep(waitMs);
    }
  }
}

/** @throws ServerUnavailable unless `java` of at least version 17 is on the PATH */
export async function assertJava(): Promise<void> {
  const { stderr } = await exec('java', ['-version']).catch(() => {
    throw new ServerUnavailable('Kafka', 'Java is not installed');
  });
  const major = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  if (major < neededJava) throw new ServerUnavailable('Kafka', `Java ${neededJava} or newer is needed, this is ${major}`);
}

function firstError(output = ''): string {
  return output.split('\n').find((line) => line.includes('ERROR'))?.slice(0, 300) ?? 'no error text';
}
