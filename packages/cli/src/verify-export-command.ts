import { access } from 'node:fs/promises';
import { BadPackage, PackageReader, type VerifiedFile, verifyPackage } from '@sluice/data-package';
import { CliError } from './cli-error';

/**
 * Checks the package of a data export: every file with what the manifest says of it, and every line with its schema.
 * @returns 0: it is whole, 1: it is not
 * @throws CliError when there is no such file
 */
export async function verifyExportCommand(
  { path, json }: { path: string; json: boolean }, out: (text: string) => void,
): Promise<number> {
  await access(path).catch(() => {
    throw new CliError(`There is no file ${path}.`);
  });
  try {
    const reader = await PackageReader.open(path);
    try {
      const files: VerifiedFile[] = [];
      for await (const file of verifyPackage(reader)) files.push(file);
      const { export_id: exportId, organization_id: organizationId } = reader.manifest;
      const ok = files.every(({ problems }) => problems.length === 0);
      if (json) out(JSON.stringify({ ok, export_id: exportId, organization_id: organizationId, files }, null, 2));
      else out([`Data export ${exportId} of organization ${organizationId}`, ...files.map(told), conclusion(files)].join('\n'));
      return ok ? 0 : 1;
    } finally {
      reader.close();
    }
  } catch (error) {
    if (!(error instanceof BadPackage)) throw error;
    if (json) out(JSON.stringify({ ok: false, error: error.message }, null, 2));
    else out(`✗ The package is not whole: ${error.message}`);
    return 1;
  }
}

function told({ path, bytes, records, problems }: VerifiedFile): string {
  const size = records === null ? `${bytes} bytes` : `${records} records, ${bytes} bytes`;
  return [`  ${problems.length === 0 ? '✓' : '✗'} ${path}  ${size}`, ...problems.map((problem) => `      ${problem}`)].join('\n');
}

function conclusion(files: readonly VerifiedFile[]): string {
  const broken = files.filter(({ problems }) => problems.length > 0).length;
  if (broken === 0) return `All ${files.length} files are what the manifest says.`;
  return `${broken} of ${files.length} files are not what the manifest says.`;
}
