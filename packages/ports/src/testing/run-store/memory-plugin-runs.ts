import { durationClasses, durationClassOf, type PluginRunStore, type PluginWrite } from '../../plugins/plugin-run-store';
import { copy } from '../shared/memory-copy';
import type { MemoryPluginState } from '../shared/memory-plugin-state';

/** Twin of `PluginRunStore`, with the writes that a settlement makes. */
export interface MemoryPluginRuns extends PluginRunStore {
  write(connectorId: string, writes: readonly PluginWrite[]): void;
}

const hourMs = 3_600_000;

export function createMemoryPluginRuns(state: MemoryPluginState): MemoryPluginRuns {
  const pluginOf = (functionArn: string): string | null => {
    const fn = state.functions.get(functionArn);
    return fn && !fn.removed && state.plugins.has(fn.pluginId) ? fn.pluginId : null;
  };
  const place = (...parts: string[]): string => JSON.stringify(parts);
  return {
    write(connectorId, writes) {
      for (const { functionArn, key, value, ttlSeconds } of writes) {
        const pluginId = pluginOf(functionArn);
        const expiresAt = ttlSeconds === null ? null : Date.now() + ttlSeconds * 1_000;
        if (pluginId !== null)
          state.values.set(place(connectorId, pluginId, key), { connectorId, pluginId, key, value: copy(value), expiresAt });
      }
    },
    async values(connectorId, functionArn, keys) {
      const pluginId = pluginOf(functionArn);
      return new Map(keys.flatMap((key) => {
        const found = pluginId === null ? undefined : state.values.get(place(connectorId, pluginId, key));
        return found && (found.expiresAt === null || found.expiresAt > Date.now()) ? [[key, copy(found.value)]] : [];
      }));
    },
    async note(runs, maxLinesPerHour) {
      for (const run of runs) {
        const pluginId = pluginOf(run.functionArn);
        if (pluginId === null) continue;
        const at = Date.now();
        state.runs.push({ ...copy(run), pluginId, at });
        for (const { at: lineAt, level, message } of run.logs) {
          const thisHour = state.logs.filter((line) => line.pluginId === pluginId && line.at.getTime() > at - hourMs).length;
          if (thisHour >= maxLinesPerHour) continue;
          const { version, eventId, connectorId } = run;
          const id = (state.logs.at(-1)?.id ?? 0) + 1;
          state.logs.push({ pluginId, id, at: new Date(lineAt), level, message, version, eventId, connectorId });
        }
      }
    },
    async logs(pluginId, { since, level, limit, cursor }) {
      if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) return null;
      const sorted = state.logs.filter((line) => line.pluginId === pluginId)
        .sort((one, other) => other.at.getTime() - one.at.getTime() || other.id - one.id);
      const from = cursor === undefined ? 0 : sorted.findIndex(({ id }) => id === Number(cursor)) + 1;
      const found = sorted.slice(from).filter((line) =>
        (since === undefined || line.at >= since) && (level === undefined || line.level === level));
      const page = found.slice(0, limit);
      const items = copy(page.map(({ pluginId: _plugin, id: _id, ...line }) => line));
      return { items, nextCursor: found.length > limit ? String(page.at(-1)!.id) : null };
    },
    async metrics(pluginId, since) {
      const from = Math.floor(since.getTime() / hourMs) * hourMs;
      const runs = state.runs.filter((run) => run.pluginId === pluginId && run.at >= from);
      const durations = Array.from({ length: durationClasses.length + 1 }, () => 0);
      for (const { durationMs } of runs) durations[durationClassOf(durationMs)]! += 1;
      const count = (outcome: string): number => runs.filter((run) => run.outcome === outcome).length;
      const memoryMb = Math.max(0, ...runs.map((run) => Math.ceil(run.memoryMb)));
      return { invocations: runs.length, errors: count('error'), retries: count('retry'), durations, memoryMb };
    },
    async sweep({ logs, metrics }) {
      state.logs = state.logs.filter(({ at }) => at >= logs);
      state.runs = state.runs.filter(({ at }) => at >= metrics.getTime());
      for (const [key, { expiresAt }] of state.values)
        if (expiresAt !== null && expiresAt <= Date.now()) state.values.delete(key);
      state.operations = state.operations.filter((operation) => operation.state === 'pending');
    },
  };
}
