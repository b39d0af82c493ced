import type { CompatCall, CompatCallStore } from '../../sources/compat-call-store';

/** Twin of the store of compat calls. */
export function createMemoryCompatCalls(now: () => number = Date.now): CompatCallStore {
  const calls = new Map<string, CompatCall>();
  const keyOf = (connectorId: string, callId: string): string => `${connectorId}/${callId}`;
  return {
    add: async (call) => {
      const at = new Date(now());
      const stored = structuredClone({ ...call, run: 'first', queued: false, createdAt: at, updatedAt: at });
      calls.set(keyOf(call.connectorId, call.callId), stored);
    },
    get: async (connectorId, callId) => structuredClone(calls.get(keyOf(connectorId, callId)) ?? null),
    begin: async (connectorId, callId, run) => {
      const call = calls.get(keyOf(connectorId, callId));
      if (call) Object.assign(call, { run, queued: false, updatedAt: new Date(now()) });
    },
    queued: async (connectorId, callId, run) => {
      const call = calls.get(keyOf(connectorId, callId));
      if (call?.run === run) call.queued = true;
    },
    deleteOlder: async (ms) => {
      const old = [...calls].filter(([, { createdAt }]) => createdAt.getTime() < now() - ms);
      for (const [key] of old) calls.delete(key);
      return old.length;
    },
  };
}
