import { randomUUID } from 'node:crypto';
import type { DataExport, DataExportError, DataExportRun, DataExportTurn, ExportStore } from '../../tasks/export-store';
import { exportWorker } from '../../tasks/export-store';
import type { Fence } from '../../tasks/task-store';

/** What the twin knows of organizations and their connectors. */
export interface ExportScopes {
  isConnector(organizationId: string, connectorId: string): boolean;
  stateOf(organizationId: string): string;
}

export interface MemoryExportStore extends ExportStore {
  /** What the deletion of a connector does to the exports of its organization. */
  connectorDeleted(organizationId: string, connectorId: string): void;
}

export interface MemoryExportOptions {
  scopes: ExportScopes;
  now(): number;
  /** Adds the task of an export. */
  addTask(task: { worker: string; key: string; tenant: string }): void;
  /** @throws FenceLost */
  assertFence(fence: Fence): void;
}

type Stored = DataExport & { generation: number; storedKeys: string[] };
const isOpen = ({ status }: DataExport): boolean => status === 'queued' || status === 'running';

const keptFor = (at: number, ttlMs: number) => ({ completedAt: new Date(at), expiresAt: new Date(at + ttlMs) });

/** Twin of the export store. */
export function createMemoryExportStore({ scopes, now, addTask, assertFence }: MemoryExportOptions): MemoryExportStore {
  const exports = new Map<string, Stored>();
  const ofOrganization = (organizationId: string): Stored[] =>
    [...exports.values()].filter((one) => one.organizationId === organizationId).reverse();
  const shown = ({ generation: _generation, storedKeys: _keys, ...one }: Stored): DataExport => ({ ...one });
  const failed = (one: Stored, error: DataExportError): void => void Object.assign(one, { status: 'failed', error });
  const turnOf = ({ export: { id }, generation }: DataExportRun): DataExportTurn => {
    const stored = exports.get(id);
    if (stored?.status !== 'running') return 'ended';
    return stored.generation === generation ? 'go_on' : 'again';
  };

  return {
    request: async ({ organizationId, connectorId, requestedBy, limit }) => {
      if (connectorId !== null && !scopes.isConnector(organizationId, connectorId))
        return { ok: false, reason: 'connector_not_found' };
      const open = ofOrganization(organizationId).find((one) => isOpen(one) && one.connectorId === connectorId);
      if (open) return { ok: false, reason: 'in_progress', exportId: open.id };
      const recent = ofOrganization(organizationId).filter(({ createdAt }) => createdAt.getTime() > now() - limit.withinMs);
      if (recent.length >= limit.most) return { ok: false, reason: 'limit_reached' };
      const stored: Stored = {
        id: randomUUID(), organizationId, connectorId, status: 'queued', requestedBy, createdAt: new Date(now()),
        startedAt: null, completedAt: null, expiresAt: null, sizeBytes: null, error: null, categories: [],
        progress: { done: 0, total: 0 }, packageKey: null, generation: 0, storedKeys: [],
      };
      exports.set(stored.id, stored);
      addTask({ worker: exportWorker, key: stored.id, tenant: organizationId });
      return { ok: true, export: shown(stored) };
    },
    list: async (organizationId, limit) => ofOrganization(organizationId).slice(0, limit).map(shown),
    get: async (organizationId, id) => {
      const stored = exports.get(id);
      return stored?.organizationId === organizationId ? shown(stored) : null;
    },
    find: async (id) => {
      const stored = exports.get(id);
      return stored ? { export: shown(stored), organizationState: scopes.stateOf(stored.organizationId) } : null;
    },
    begin: async (fence, id, packageKey) => {
      assertFence(fence);
      const stored = exports.get(id);
      if (!stored || !isOpen(stored)) return null;
      const { organizationId, connectorId } = stored;
      const isGone = connectorId !== null && !scopes.isConnector(organizationId, connectorId);
      if (scopes.stateOf(organizationId) === 'closed') failed(stored, 'organization_closed');
      else if (isGone) failed(stored, 'scope_not_found');
      if (!isOpen(stored)) return null;
      stored.status = 'running';
      stored.startedAt ??= new Date(now());
      stored.progress = { done: 0, total: stored.progress.total };
      stored.storedKeys.push(packageKey);
      return { export: shown(stored), generation: stored.generation };
    },
    progress: async (fence, run, progress) => {
      assertFence(fence);
      const turn = turnOf(run);
      if (turn === 'go_on') exports.get(run.export.id)!.progress = { ...progress };
      return turn;
    },
    complete: async (fence, run, { key, sizeBytes, categories, rows, ttlMs }) => {
      assertFence(fence);
      const turn = turnOf(run);
      if (turn !== 'go_on') return turn;
      Object.assign(exports.get(run.export.id)!, {
        status: 'completed', ...keptFor(now(), ttlMs), packageKey: key, sizeBytes, categories: [...categories],
        progress: { done: rows, total: rows },
      });
      return turn;
    },
    fail: async (id, error) => {
      const stored = exports.get(id);
      if (stored && isOpen(stored)) failed(stored, error);
    },
    expire: async () => {
      const all = [...exports.values()];
      const isClosed = ({ organizationId }: Stored): boolean => scopes.stateOf(organizationId) === 'closed';
      const over = all.filter((one) => one.status === 'completed' && (one.expiresAt!.getTime() <= now() || isClosed(one)));
      for (const one of over) Object.assign(one, { status: 'expired', packageKey: null });
      const closed = all.filter((one) => isOpen(one) && isClosed(one));
      for (const one of closed) failed(one, 'organization_closed');
      return over.length + closed.length;
    },
    leftPackages: async (most) =>
      [...exports.values()]
        .filter((one) => !isOpen(one))
        .flatMap(({ id, storedKeys, packageKey }) => storedKeys.filter((key) => key !== packageKey).map((key) => ({ id, key })))
        .slice(0, most),
    packageDeleted: async ({ id, key }) => {
      const stored = exports.get(id);
      if (stored) stored.storedKeys = stored.storedKeys.filter((one) => one !== key);
    },
    connectorDeleted: (organizationId, connectorId) => {
      for (const one of ofOrganization(organizationId)) {
        if (one.status === 'completed') Object.assign(one, { status: 'expired', packageKey: null });
        else if (isOpen(one) && one.connectorId === connectorId) failed(one, 'scope_not_found');
        one.generation += 1;
      }
    },
  };
}
