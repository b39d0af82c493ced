import type { CallResult } from './call-result';

/** The folder of downloaded contents in the blob store, for events that are not over yet; old ones are deleted. */
export const downloadFolder = 'downloads';

/**
 * Reads files from addresses that users configure: without redirects, not from private addresses
 * (`SLUICE_ALLOW_PRIVATE_TARGETS`), up to a bound. No message shows more of the address than its host: the rest may be a secret.
 */
export interface FileDownloads {
  read(url: string, options: { maxBytes: number }): Promise<CallResult<Buffer>>;
}
