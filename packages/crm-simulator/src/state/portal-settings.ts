/** What the control surface can set about a portal. A limit that is undefined is off. */
export interface PortalSettings {
  readonly scopes: readonly string[];
  /** How long searches go on seeing the state before a write, ms. */
  readonly searchLagMs: number;
  /** Added to every answer, ms. */
  readonly latencyMs: number;
  readonly burstPer10s?: number;
  readonly searchPerS?: number;
  readonly dailyLimit?: number;
  /** Life of access tokens made by refreshing, seconds. */
  readonly tokenTtlS: number;
}
