import { createHash } from 'node:crypto';
import type { FunctionCodeStore, StoredFunction, StoredFunctionVersion } from '../../plugins/function-code-store';

interface Kept {
  organizationId: string;
  latest: string;
  versions: { sha256: string; operation: string }[];
}

/** Twin of the store of functions' code. */
export function createMemoryFunctionCode(): FunctionCodeStore {
  const functions = new Map<string, Kept>();
  const codes = new Map<string, string>();
  const keyOf = ({ organizationId, sha256 }: StoredFunctionVersion): string => `${organizationId}/${sha256}`;
  const put = ({ functionArn, organizationId }: StoredFunction, code: string): void => {
    const sha256 = createHash('sha256').update(code).digest('hex');
    codes.set(keyOf({ organizationId, sha256 }), code);
    const kept = functions.get(functionArn) ?? { organizationId, latest: sha256, versions: [] };
    functions.set(functionArn, { ...kept, latest: sha256 });
  };
  return {
    putLatest: async (fn, code) => put(fn, code),
    publish: async (fn, code, operation) => {
      const before = functions.get(fn.functionArn)?.versions.findIndex((version) => version.operation === operation) ?? -1;
      if (before >= 0) return before + 1;
      put(fn, code);
      const kept = functions.get(fn.functionArn)!;
      return kept.versions.push({ sha256: kept.latest, operation });
    },
    find: async (functionArn, qualifier) => {
      const kept = functions.get(functionArn);
      const sha256 = qualifier === '$LATEST' ? kept?.latest : kept?.versions[qualifier - 1]?.sha256;
      return kept && sha256 !== undefined ? { organizationId: kept.organizationId, sha256 } : null;
    },
    code: async (version) => codes.get(keyOf(version)) ?? null,
    remove: async (functionArn) => {
      const gone = functions.get(functionArn);
      functions.delete(functionArn);
      if (!gone) return;
      const { organizationId } = gone;
      const used = new Set(
        [...functions.values()].flatMap((kept) => [kept.latest, ...kept.versions.map(({ sha256 }) => sha256)].map((sha256) =>
          keyOf({ organizationId: kept.organizationId, sha256 }))),
      );
      for (const sha256 of [gone.latest, ...gone.versions.map((version) => version.sha256)]) {
        const key = keyOf({ organizationId, sha256 });
        if (!used.has(key)) codes.delete(key);
      }
    },
  };
}
