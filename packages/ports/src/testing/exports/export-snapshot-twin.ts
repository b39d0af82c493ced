import type { PackageFilePath } from '@sluice/contracts';
import type { ExportSnapshot, ExportSource, PluginCode, StoredPayload } from '../../tasks/export-snapshot';

/** What a snapshot holds. */
export interface SnapshotContent {
  connectorIds?: readonly string[];
  takenAt?: Date;
  /** Lines by file; given as a function, they are made when they are read. */
  files?: Partial<Record<PackageFilePath, readonly object[] | (() => AsyncIterable<Uint8Array>)>>;
  storedPayloads?: readonly StoredPayload[];
  pluginCode?: readonly PluginCode[];
}

export interface ExportSnapshotTwin extends ExportSnapshot {
  closed: boolean;
}

/** Twin of an export's snapshot: what it is given. */
export function createExportSnapshotTwin(content: SnapshotContent): ExportSnapshotTwin {
  const { connectorIds = [], takenAt = new Date(0), files = {} } = content;
  return {
    connectorIds,
    takenAt,
    closed: false,
    estimate: async () => Object.values(files).reduce((sum, lines) => sum + (typeof lines === 'function' ? 0 : lines.length), 0),
    lines: (path) => {
      const lines = files[path] ?? [];
      return typeof lines === 'function' ? lines() : each(lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)));
    },
    storedPayloads: () => each(content.storedPayloads ?? []),
    pluginCode: () => each(content.pluginCode ?? []),
    async close() {
      this.closed = true;
    },
  };
}

/** Twin of the source of exports: every scope has the snapshot that is made for it. */
export const createExportSourceTwin = (
  snapshotOf: (scope: Parameters<ExportSource['open']>[0]) => ExportSnapshot,
): ExportSource => ({ open: async (scope) => snapshotOf(scope) });

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
