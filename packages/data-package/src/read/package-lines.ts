import { packageFiles, type PackageFilePath } from '@sluice/contracts';
import { linesOf } from '../lines-of';
import { BadPackage } from './bad-package';
import { compile } from './compile';
import type { PackageReader } from './package-reader';
import { longestLine } from './verify-package';

/** The lines of a file, each checked against its schema. @throws BadPackage naming the line */
export async function* packageLines(reader: PackageReader, path: PackageFilePath): AsyncGenerator<Record<string, unknown>> {
  const problemOf = compile(packageFiles[path].schema);
  let number = 0;
  for await (const text of linesOf(reader.bytes(path), longestLine)) {
    number += 1;
    const line = parsed(text, `${path}, line ${number}`);
    const problem = problemOf(line);
    if (problem !== null) throw new BadPackage(`${path}, line ${number}${problem}`);
    yield line as Record<string, unknown>;
  }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadPackage(`${where} is no JSON`);
  }
}
