/**
 * An error code of the API: its status, how `detail` carries it, and what it means (docs/reference/errors.md).
 * `shape` text: `detail` is the code itself; error: `detail.error`; code: `detail.code` (publish and the review gate); entry: the
 * `type` of an entry of `detail`, beside the entries of what else is wrong.
 */
export interface ErrorCodeEntry {
  readonly status: number;
  /** The code as answers carry it, where it differs from its name in the table: one word with another status. */
  readonly word?: string;
  readonly shape: 'text' | 'error' | 'code' | 'entry';
  readonly meaning: string;
}
