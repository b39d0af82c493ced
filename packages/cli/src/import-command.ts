import { access } from 'node:fs/promises';
import { ApiError, bearer, createApiClient } from '@sluice/api-client';
import { BadPackage, PackageReader, verifyPackage } from '@sluice/data-package';
import { CliError } from './cli-error';
import { pairConnectors } from './restore/pair-connectors';
import { patientFetch } from './restore/patient-fetch';
import { RestoreReport, type Restoration } from './restore/restoration';
import { restoreConnectors } from './restore/restore-connectors';
import { restoreMappings } from './restore/restore-mappings';
import { pairPlugins, restorePlugin } from './restore/restore-plugins';

export interface ImportRequest {
  path: string;
  /** The installation, without a slash at its end. */
  url: string;
  /** A key of the organization. */
  key: string;
  json: boolean;
}

/** Of one request: a publish provisions in the CRM. */
const timeoutMs = 120_000;

/**
 * Restores connectors, configuration, plugins and mappings of the package of a data export into an empty organization, through
 * the API. It may be run again: what is there is left as it is, and what is missing follows.
 * @returns 0: all was restored, 1: not all
 * @throws CliError when there is no such file, it is no whole package, the service cannot be reached, or the organization is not
 *   empty
 */
export async function importCommand({ path, url, key, json }: ImportRequest, out: (text: string) => void): Promise<number> {
  await access(path).catch(() => {
    throw new CliError(`There is no file ${path}.`);
  });
  const client = createApiClient({ baseUrl: url, headers: bearer(key), fetch: patientFetch(globalThis.fetch), timeoutMs });
  const report = new RestoreReport(json ? () => undefined : out);
  try {
    const reader = await PackageReader.open(path);
    try {
      await assertWhole(reader);
      const { organization } = await client.me();
      if (!json) out(`Data export ${reader.manifest.export_id} into "${organization?.name}" at ${url}`);
      await restore({ reader, client, report });
    } finally {
      reader.close();
    }
  } catch (error) {
    throw asCliError(error, url);
  }
  const { restored, problems } = report;
  if (json) out(JSON.stringify({ ok: problems.length === 0, restored, problems }, null, 2));
  else out(conclusion(problems.length));
  return problems.length === 0 ? 0 : 1;
}

/** Plugins before connectors: a publish looks them up. */
async function restore(restoration: Restoration): Promise<void> {
  const [pairs, plugins] = [await pairConnectors(restoration), await pairPlugins(restoration)];
  for (const pair of plugins) await restorePlugin(restoration, pair);
  await restoreMappings(restoration, await restoreConnectors(restoration, pairs));
}

/** Nothing is restored of a package that was changed. @throws BadPackage */
async function assertWhole(reader: PackageReader): Promise<void> {
  for await (const { path, problems: [problem] } of verifyPackage(reader))
    if (problem !== undefined) throw new BadPackage(`${path} ${problem}`);
}

function asCliError(error: unknown, url: string): unknown {
  if (error instanceof BadPackage) return new CliError(`The package is not whole: ${error.message}`);
  if (error instanceof ApiError) return new CliError(`${url} refuses: ${error.message}`);
  if (error instanceof TypeError && error.message === 'fetch failed') return new CliError(`${url} cannot be reached.`);
  return error;
}

const conclusion = (problems: number): string => (problems === 0
  ? 'All was restored. New webhook secrets, credentials and keys are made by hand (docs/reference/data-exports.md).'
  : `${problems} parts were not restored. Mend what is said of them, and run it again.`);
