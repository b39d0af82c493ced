import { type JsonSchema, packageFilePaths, packageFiles, type PackageFilePath, type PackageManifest } from '@sluice/contracts';
import { linesOf, UnreadableLine } from '../lines-of';
import { CountedFile, type FileFacts } from '../write/package-file';
import { BadPackage } from './bad-package';
import { compile } from './compile';
import type { PackageReader } from './package-reader';

/** What the check of a file found. */
export interface VerifiedFile {
  path: string;
  bytes: number;
  records: number | null;
  /** Empty: it is what the manifest says. */
  problems: string[];
}

/** Longest line: an event has 10 MiB, and JSON may write a character as six. */
export const longestLine = 64 * 1024 * 1024;
/** Problems of lines that are told of one file. */
const toldLines = 5;

/**
 * Compares every file of a package with its manifest: size, SHA-256, number of lines, and each line with the schema of its file.
 * @throws BadPackage when the package lacks a file that every package has
 */
export async function* verifyPackage(reader: PackageReader): AsyncGenerator<VerifiedFile> {
  assertWhole(reader.manifest);
  for (const file of reader.files.values()) {
    const schema = file.format === 'jsonl' ? packageFiles[file.path as PackageFilePath]?.schema : undefined;
    const counted = new CountedFile(reader.bytes(file.path), () => undefined);
    const problems: string[] = [];
    try {
      problems.push(...(await lineProblems(counted, schema)));
      problems.push(...differences(file, counted.facts()));
    } catch (error) {
      if (!(error instanceof BadPackage || error instanceof UnreadableLine)) throw error;
      problems.push(error.message);
    }
    yield { path: file.path, bytes: file.bytes, records: file.records ?? null, problems };
  }
}

function assertWhole({ categories }: PackageManifest): void {
  const named = new Set(categories.flatMap(({ files }) => files.map(({ path }) => path)));
  const missing = packageFilePaths.filter((path) => !named.has(path));
  if (missing.length > 0) throw new BadPackage(`manifest.json does not name ${missing.join(', ')}`);
}

async function lineProblems(file: CountedFile, schema: JsonSchema | undefined): Promise<string[]> {
  if (schema === undefined) {
    for await (const _chunk of file) continue;
    return [];
  }
  const problemOf = compile(schema);
  const problems: string[] = [];
  let number = 0;
  let more = 0;
  for await (const line of linesOf(file, longestLine)) {
    number += 1;
    const problem = problemOfLine(line, problemOf);
    if (problem !== null && problems.length < toldLines) problems.push(`line ${number}${problem}`);
    else if (problem !== null) more += 1;
  }
  return more > 0 ? [...problems, `${more} more lines are wrong`] : problems;
}

function problemOfLine(line: string, problemOf: (value: unknown) => string | null): string | null {
  try {
    return problemOf(JSON.parse(line));
  } catch {
    return ' is no JSON';
  }
}

function differences(said: { bytes: number; sha256: string; records?: number }, found: FileFacts): string[] {
  return [
    ...(said.bytes === found.bytes ? [] : [`has ${found.bytes} bytes, the manifest says ${said.bytes}`]),
    ...(said.records === undefined || said.records === found.records
      ? [] : [`has ${found.records} lines, the manifest says ${said.records}`]),
    ...(said.sha256 === found.sha256 ? [] : ['has another SHA-256 than the manifest says']),
  ];
}
