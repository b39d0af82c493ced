/** A request of one service that another one answers, because it has what the first one must not have. */
export interface ServiceRequest {
  id: string;
  /** What is asked, and so who answers. */
  kind: string;
  /** Plain data. */
  body: unknown;
}

/**
 * Requests between services, and their answers, until they are taken. Both may be lost with those who wait for them: nothing of
 * them is needed later. Any method may throw `StoreUnavailable`.
 */
export interface ServiceRequestStore {
  add(request: ServiceRequest): Promise<void>;
  /** The request as long as it is not answered; null: it is, or nobody waits for it any more. */
  open(id: string): Promise<ServiceRequest | null>;
  /** Stores the answer, plain data; the first one counts. @returns false: nobody waits for it any more, or it has one */
  answer(id: string, answer: unknown): Promise<boolean>;
  /** The answer, and forgets the request; null: it has none yet. */
  take(id: string): Promise<{ answer: unknown } | null>;
  /** Nobody waits for it any more. */
  remove(id: string): Promise<void>;
  /** Deletes requests older than so many milliseconds, answered or not. Returns how many. */
  deleteOlder(ms: number): Promise<number>;
}
