import type { PackageFilePath } from '@sluice/contracts';
import type { ByteSource } from '@sluice/ports';
import { linesOf } from '../lines-of';
import { maskConfig, maskStored } from '../mask-secrets';

type Line = Record<string, unknown>;

/** How the lines of a file are masked. All other files hold nothing that a user wrote as a secret, and pass as they are. */
const masks: Partial<Record<PackageFilePath, (line: Line) => Line>> = {
  'configuration/versions.jsonl': (line) => ({ ...line, config: maskConfig(line['config']) }),
  'configuration/drafts.jsonl': (line) => ({ ...line, config: maskConfig(line['config']) }),
  'plugins/storage.jsonl': (line) => ({ ...line, value: maskStored(String(line['key']), line['value']) }),
};

/** Longest line that is masked: a config has 1 MiB. */
const longestLine = 16 * 1024 * 1024;

/** The lines of a file without values that may be secrets. */
export function maskedLines(path: PackageFilePath, lines: ByteSource): ByteSource {
  const mask = masks[path];
  return mask ? maskEach(lines, mask) : lines;
}

async function* maskEach(lines: ByteSource, mask: (line: Line) => Line): AsyncGenerator<Buffer> {
  for await (const line of linesOf(lines, longestLine)) yield Buffer.from(`${JSON.stringify(mask(JSON.parse(line) as Line))}\n`);
}
