import { fuzzRequests } from './fuzz-requests';
import type { Operation } from './operations';

export interface FuzzTarget {
  /** Without a slash at the end. */
  baseUrl: string;
  /** Headers that authenticate the caller. */
  headers: Readonly<Record<string, string>>;
  /** Values of path parameters that exist, by name. */
  known: Readonly<Record<string, string>>;
  /** Compiles a JSON schema into a check, with the errors of its last call. */
  compile(schema: Readonly<Record<string, unknown>>): ((value: unknown) => boolean) & { errors?: unknown };
}

/** Requests of each operation. `SLUICE_FUZZ` makes more, `SLUICE_FUZZ_SEED` others. */
const [each, seed] = [Number(process.env['SLUICE_FUZZ'] ?? 8), Number(process.env['SLUICE_FUZZ_SEED'] ?? 1)];

/** Answers that the description of the whole document names for every route: requests that are not HTTP as it should be. */
const everywhere: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [431, 'Request Header Fields Too Large'],
]);

/** Sends an operation many requests; returns the answers that were server errors or not documented. */
export async function fuzz(operation: Operation, { baseUrl, headers: caller, known, compile }: FuzzTarget): Promise<string[]> {
  const problems: string[] = [];
  const checks = new Map([...operation.answers].map(([status, schema]) => [status, schema && compile(schema)]));
  for (const { method, url, headers, body } of fuzzRequests(operation, seed + hashOf(operation.operationId), each, known)) {
    const response = await fetch(baseUrl + url, {
      method,
      headers: { ...caller, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (operation.endless && response.ok) {
      await response.body?.cancel();
      continue;
    }
    const text = await response.text();
    const problem = problemOf(response.status, text, checks);
    if (problem)
      problems.push(
        `${response.status} ${problem}: ${method} ${url.slice(0, 200)} ${body?.slice(0, 300) ?? ''} -> ${text.slice(0, 300)}`,
      );
  }
  return problems;
}

function problemOf(
  status: number,
  text: string,
  checks: ReadonlyMap<number, ReturnType<FuzzTarget['compile']> | undefined>,
): string | undefined {
  if (status >= 500) return 'is a server error';
  const check = checks.get(status);
  if (!checks.has(status))
    return everywhere.has(status) && JSON.parse(text).detail === everywhere.get(status) ? undefined : 'is not documented';
  return !check || check(JSON.parse(text)) ? undefined : `is against its schema: ${JSON.stringify(check.errors).slice(0, 500)}`;
}

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7);
