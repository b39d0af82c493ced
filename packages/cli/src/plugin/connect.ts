import { join } from 'node:path';
import { ApiError, type ApiClient, bearer, createApiClient } from '@sluice/api-client';
import { CliError } from '../cli-error';
import { readJsonFile } from '../read-json-file';

/** The environment of the command line: it reads SLUICE_URL, SLUICE_API_KEY and SLUICE_DATA_DIR. */
export type CliEnvironment = Readonly<Record<string, string | undefined>>;

/** A client of the API as an organization key. Throws CliError where no installation is named. */
export function connect({ SLUICE_URL, SLUICE_API_KEY, SLUICE_DATA_DIR = '.data' }: CliEnvironment, folder: string): ApiClient {
  if (SLUICE_URL !== undefined && SLUICE_API_KEY !== undefined)
    return createApiClient({ baseUrl: SLUICE_URL, headers: bearer(SLUICE_API_KEY) });
  if (SLUICE_URL !== undefined || SLUICE_API_KEY !== undefined)
    throw new CliError('SLUICE_URL and SLUICE_API_KEY (an organization key) belong together: set both.');
  const installation = readJsonFile(join(folder, SLUICE_DATA_DIR, 'standalone.json'), 'address of the installation');
  const { base_url: baseUrl, organization_api_key: key } = installation as { base_url: string; organization_api_key: string };
  return createApiClient({ baseUrl, headers: bearer(key) });
}

/** What a call of the API gives. Its refusals, and that nobody answers, are errors of the caller. */
export async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError) throw new CliError(refusalOf(error));
    if (error instanceof TypeError) throw new CliError(`The installation does not answer: ${causeOf(error)}`);
    throw error;
  }
}

interface Finding {
  rule: string;
  message: string;
  line: number;
}

function refusalOf({ status, code, detail, problems }: ApiError): string {
  const { message, findings = [] } = (typeof detail === 'object' && detail !== null ? detail : {}) as
    { message?: string; findings?: Finding[] };
  const first = `The installation answered ${status}: ${[code, message].filter(Boolean).join(', ') || 'no reason'}`;
  return [
    first, ...problems.map(({ loc, msg }) => `  ${loc.slice(1).join('.')}: ${msg}`),
    ...findings.map(({ rule, line, message: words }) => `  ${rule}, line ${line} of the bundle: ${words}`),
  ].join('\n');
}

const causeOf = ({ cause, message }: Error): string => (cause instanceof Error ? cause.message : message);
