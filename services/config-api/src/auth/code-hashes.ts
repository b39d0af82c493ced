import { createHmac, hkdfSync } from 'node:crypto';
import { keyringEntries } from '@sluice/service-kit';

/**
 * Hashes of codes that people type. A code has few digits, so that whoever reads its plain hash finds it at once: these are made
 * with a secret of the installation, and with what the code belongs to.
 */
export interface CodeHashes {
  /** By the first key: for what is stored. */
  hash(owner: string, code: string): string;
  /** By every key: for what is compared, so that replacing a key ends no code. */
  candidates(owner: string, code: string): string[];
}

/** @param encryptionKeys the SLUICE_ENCRYPTION_KEYS setting */
export function createCodeHashes(encryptionKeys: string): CodeHashes {
  const secrets = keyringEntries(encryptionKeys).map(
    ({ text }) => Buffer.from(hkdfSync('sha256', text, 'sluice', 'codes v1', 32)),
  );
  const by = (secret: Buffer, owner: string, code: string): string =>
    createHmac('sha256', secret).update(`${owner}:${code}`, 'utf8').digest('hex');
  return {
    hash: (owner, code) => by(secrets[0]!, owner, code),
    candidates: (owner, code) => secrets.map((secret) => by(secret, owner, code)),
  };
}
