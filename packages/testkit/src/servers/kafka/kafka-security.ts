import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Who may come in through the secured listener, with which mechanism he was registered. */
export interface KafkaUser {
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  username: string;
  password: string;
}

const storePassword = 'of-the-tests';

/**
 * Makes a key for 127.0.0.1 with a certificate signed by itself, by the keytool that comes with Java.
 * @returns the certificate as PEM: what a client must trust
 */
export async function makeCertificate(folder: string): Promise<string> {
  const store = [
    '-keystore',
    join(folder, 'broker.p12'),
    '-storetype',
    'PKCS12',
    '-storepass',
    storePassword,
    '-alias',
    'broker',
  ];
  await exec('keytool', [
    '-genkeypair',
    ...store,
    '-keyalg',
    'EC',
    '-groupname',
    'secp256r1',
    '-dname',
    'CN=sluice-tests',
    '-ext',
    'SAN=ip:127.0.0.1,dns:localhost',
    '-validity',
    '2',
  ]);
  await exec('keytool', ['-exportcert', '-rfc', ...store, '-file', join(folder, 'broker.pem')]);
  return readFileSync(join(folder, 'broker.pem'), 'utf8');
}

/** Settings of the listener SECURED: TLS with the key of `makeCertificate`, SASL for the given users. */
export function securityProperties(folder: string, users: readonly KafkaUser[]): Record<string, string> {
  const plain = users
    .filter(({ mechanism }) => mechanism === 'plain')
    .map(({ username, password }) => `user_${username}="${password}"`);
  const jaas = (mechanism: string, module: string): [string, string] => [
    `listener.name.secured.${mechanism}.sasl.jaas.config`,
    `org.apache.kafka.common.security.${module} required`,
  ];
  const [plainName, plainModule] = jaas('plain', 'plain.PlainLoginModule');
  const scram = ['scram-sha-256', 'scram-sha-512'].map((mechanism) => jaas(mechanism, 'scram.ScramLoginModule'));
  return {
    'listener.name.secured.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    [plainName]: `${[plainModule, ...plain].join(' ')};`,
    ...Object.fromEntries(scram.map(([name, module]) => [name, `${module};`])),
    'listener.name.secured.ssl.keystore.location': join(folder, 'broker.p12'),
    'listener.name.secured.ssl.keystore.type': 'PKCS12',
    'listener.name.secured.ssl.keystore.password': storePassword,
  };
}

/** What the storage tool is told of users whose passwords the cluster itself keeps. */
export function scramArguments(users: readonly KafkaUser[]): string[] {
  return users
    .filter(({ mechanism }) => mechanism !== 'plain')
    .flatMap(({ mechanism, username, password }) => [
      '--add-scram',
      `${mechanism.toUpperCase()}=[name=${username},password=${password}]`,
    ]);
}
