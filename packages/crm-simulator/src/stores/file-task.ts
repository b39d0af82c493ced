/** Work on files that goes on after its request was answered. Not part of a snapshot. */
export interface FileTask {
  readonly id: string;
  readonly requestedAt: number;
  completedAt?: number;
  /** Makes what it resulted in, as it is when somebody asks. */
  result?: () => object;
  /** Why it failed. */
  problem?: string;
}
