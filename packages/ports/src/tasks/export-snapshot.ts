import type { PackageFilePath } from '@sluice/contracts';
import type { ByteSource } from '../blob-store';

/** Code of a plugin. */
export interface PluginCode {
  pluginId: string;
  /** Its name. */
  plugin: string;
  kind: 'source' | 'bundle';
  bytes: Uint8Array;
}

/** A payload that lies in the blob store, with the line that it belongs into. */
export interface StoredPayload {
  /** The line with `payload` null. */
  line: Record<string, unknown>;
  key: string;
}

/** Everything that an export may hold, as it was at one moment. Parts are read one after the other. */
export interface ExportSnapshot {
  /** The connectors of its scope that are not deleted, by their id. */
  readonly connectorIds: readonly string[];
  readonly takenAt: Date;
  /** Lines of all files, as the store estimates them. */
  estimate(): Promise<number>;
  /** The lines of a file in UTF-8, each a JSON object and a line break. Nothing is masked. Flat in memory. */
  lines(path: PackageFilePath): ByteSource;
  /** The payloads of `recorded_payloads.jsonl` that lie in the blob store: `lines` does not have them. */
  storedPayloads(): AsyncIterable<StoredPayload>;
  pluginCode(): AsyncIterable<PluginCode>;
  close(): Promise<void>;
}

export interface ExportSource {
  /**
   * Opens a snapshot of an organization, or of one of its connectors. It keeps a connection until it is closed.
   * @throws StoreUnavailable, also while its parts are read
   */
  open(scope: { organizationId: string; connectorId: string | null }): Promise<ExportSnapshot>;
}
