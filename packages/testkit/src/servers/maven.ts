import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServerUnavailable } from './server-unavailable';

const exec = promisify(execFile);
const downloadTimeoutMs = 5 * 60_000;
const neededJava = 17;

/**
 * Copies a Maven artifact and all it depends on into a folder.
 * @param artifact `group:name:version`
 * @throws ServerUnavailable when Maven is missing or the download fails
 */
export async function copyWithDependencies(server: 'Kafka' | 'Redis', artifact: string, folder: string): Promise<void> {
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
  await exec('mvn', args, { cwd: folder, timeout: downloadTimeoutMs }).catch(
    (error: NodeJS.ErrnoException & { stdout?: string }) => {
      const reason =
        error.code === 'ENOENT'
          ? 'Maven (mvn) is not installed'
          : `Maven could not fetch ${artifact}: ${firstError(error.stdout)}`;
      throw new ServerUnavailable(server, reason);
    },
  );
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
