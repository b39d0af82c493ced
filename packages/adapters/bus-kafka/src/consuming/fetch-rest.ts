/**
 * A short rest after each fetch that brought messages, so that the next fetch brings more of them. Without it a reader under load
 * fetches for nearly every message, and a fetch costs the reader and the broker more than a message does. A message that comes
 * to an idle reader does not wait: the rest begins after it was delivered.
 *
 * All batches of a fetch end their rest together, because kafkajs fetches again when each of them was handled.
 */
export class FetchRest {
  private resting: Promise<void> | undefined;

  /** @param ms how long it lasts, in milliseconds: the most by which a message comes later */
  constructor(private readonly ms: number) {}

  /** Resolves at the end of the rest that the first caller began. */
  over(): Promise<void> {
    this.resting ??= new Promise((resolve) => setTimeout(() => {
      this.resting = undefined;
      resolve();
    }, this.ms));
    return this.resting;
  }
}
