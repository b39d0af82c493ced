import { createHash } from 'node:crypto';
import type { FunctionCodeStore, StoredFunction, StoredFunctionVersion } from '@sluice/ports';

/** The code of the one function that is tested, in memory. It has no published versions. */
export class OneFunctionStore implements FunctionCodeStore {
  private latest: { version: StoredFunctionVersion; functionArn: string; code: string } | null = null;

  async putLatest({ functionArn, organizationId }: StoredFunction, code: string): Promise<void> {
    this.latest = { functionArn, code, version: { organizationId, sha256: createHash('sha256').update(code).digest('hex') } };
  }

  publish(): Promise<number> {
    return Promise.reject(new Error('the function under test is never published'));
  }

  async find(functionArn: string): Promise<StoredFunctionVersion | null> {
    return this.latest?.functionArn === functionArn ? this.latest.version : null;
  }

  async code(): Promise<string | null> {
    return this.latest?.code ?? null;
  }

  async remove(): Promise<void> {
    this.latest = null;
  }
}
