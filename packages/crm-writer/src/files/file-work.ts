import type { BlobStore, CrmFileClient, FileDownloads, KeyValue } from '@sluice/ports';

/** What files and forms need in addition to records. */
export interface FileWork {
  client: CrmFileClient;
  downloads: FileDownloads;
  /** Keeps what was downloaded while its event is not over. */
  blobs: Pick<BlobStore, 'get' | 'put'>;
  /** Remembers submissions of forms. */
  kv: Pick<KeyValue, 'get' | 'set'>;
  /** Bytes of one file (SLUICE_FILE_MAX_SIZE). */
  maxBytes: number;
  /** How long submissions are remembered, in milliseconds: as long as an event may live. */
  rememberMs: number;
}

/** Files whose bytes are in memory at once, beside those of the events themselves. */
export const maxTransfers = 4;
