import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateKeyringSetting } from '@sluice/service-kit';
import { readPrivateJson, writePrivateJson } from './private-json';

/** Values generated once per data folder, which never change. All but `installation` are secret. */
export interface FolderSecrets {
  /** This installation's name over restarts. */
  installation: string;
  encryptionKeys: string;
  operatorToken: string;
  postgresPassword: string;
  ownerPassword: string;
}

/** The data folder of an installation (docs/reference/single-process.md, The data folder). Absolute paths. */
export interface DataFolder {
  root: string;
  postgres: string;
  logs: string;
  /** What file sources watch, a folder per organization. */
  watched: string;
  /** The snapshot of the CRM stand-in. */
  simulator: string;
  /** `standalone.json`, which other programs read. */
  standalone: string;
  seed: string;
  demo: string;
  /** What the shop of the two-way demo keeps. */
  twoWay: string;
  secrets: FolderSecrets;
}

/** Opens a data folder, or makes one with secrets of its own. Only this user may read the secrets. */
export function openDataFolder(path: string): DataFolder {
  const root = resolve(path);
  for (const folder of [root, join(root, 'logs'), join(root, 'blobs')]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    root,
    postgres: join(root, 'postgres'),
    logs: join(root, 'logs'),
    watched: join(root, 'watched'),
    simulator: join(root, 'crm-simulator.snapshot'),
    standalone: join(root, 'standalone.json'),
    seed: join(root, 'seed.json'),
    demo: join(root, 'demo.json'),
    twoWay: join(root, 'two-way-shop.json'),
    secrets: openSecrets(join(root, 'secrets.json')),
  };
}

function openSecrets(file: string): FolderSecrets {
  const known = readPrivateJson<FolderSecrets>(file);
  if (known) return known;
  const made: FolderSecrets = {
    installation: `standalone-${randomUUID()}`,
    encryptionKeys: generateKeyringSetting(),
    operatorToken: `operator_${randomBytes(24).toString('base64url')}`,
    postgresPassword: randomBytes(24).toString('base64url'),
    ownerPassword: randomBytes(12).toString('base64url'),
  };
  writePrivateJson(file, made);
  return made;
}
