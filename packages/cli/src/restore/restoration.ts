import { ApiError, type ApiClient } from '@sluice/api-client';
import type { PackageReader } from '@sluice/data-package';

/** What a restoration works with. */
export interface Restoration {
  reader: PackageReader;
  client: ApiClient;
  report: RestoreReport;
}

/** What was restored, and what was not and why, in the words of a person. */
export class RestoreReport {
  readonly restored: string[] = [];
  readonly problems: string[] = [];

  constructor(private readonly tell: (line: string) => void) {}

  done(text: string): void {
    this.restored.push(text);
    this.tell(`  ✓ ${text}`);
  }

  problem(text: string): void {
    this.problems.push(text);
    this.tell(`  ✗ ${text}`);
  }

  /**
   * Does a part of a restoration. What the service refuses becomes a problem, and the next part goes on.
   * @returns undefined when it was refused
   */
  async part<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem(`${name}: ${refusalOf(error)}`);
      return undefined;
    }
  }
}

/** Problems of one answer that are told. */
const toldProblems = 5;

function refusalOf({ code, status, problems, detail }: ApiError): string {
  const places = problems.slice(0, toldProblems).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  if (places.length > 0) return places.join('; ');
  const message = (detail as { message?: unknown } | null)?.message;
  return [code ?? `answer ${status}`, ...(typeof message === 'string' ? [message] : [])].join(': ');
}
