/** Most text of one page of held events, also when there is memory for more: as much as one fetched batch. */
const maxPageBytes = 1024 * 1024;

/** While it is parsed, a large payload takes about this many times its bytes in memory: the bytes, the text and the values. */
const whileParsed = 3;

/** The memory of one page of held events. */
export interface PageRoom {
  /** Bytes of text that may be read; two events are always read. */
  readonly textBytes: number;
  /** Sets the memory that the read events take. */
  holds(bytes: number): void;
  end(): void;
}

/** The memory of one large payload. */
export interface PayloadRoom {
  holds(bytes: number): void;
  end(): void;
}

interface WaitingPayload {
  bytes: number;
  enter(room: PayloadRoom): void;
}

/**
 * The memory of events that are read from the held store, page by page, and of payloads from the blob store. Both share one
 * bound. A page never waits, it becomes smaller, because other events may wait for those of the scope. A payload waits for
 * memory, unless no other payload is in memory: an event with its payload needs no more memory to end. Connectors take turns.
 */
export class ReadMemory {
  private used = 0;
  private payloads = 0;
  private readonly waiting = new Map<string, WaitingPayload[]>();

  constructor(private readonly maxBytes: number) {}

  /** Reserves the memory of the next page. */
  page(): PageRoom {
    const textBytes = Math.max(1, Math.min(maxPageBytes, this.maxBytes - this.used));
    return { textBytes, ...this.take(textBytes) };
  }

  /** Waits until a stored payload of this many bytes may be read. */
  payload(connectorId: string, storedBytes: number): Promise<PayloadRoom> {
    return new Promise((enter) => {
      const payload: WaitingPayload = { bytes: storedBytes * whileParsed, enter };
      const ofConnector = this.waiting.get(connectorId);
      if (ofConnector) ofConnector.push(payload);
      else this.waiting.set(connectorId, [payload]);
      this.letIn();
    });
  }

  /** Admits the next ones in turn, as long as there is memory. */
  private letIn(): void {
    for (const [connectorId, queue] of this.waiting) {
      const [next] = queue;
      if (!next || (this.payloads > 0 && this.used + next.bytes > this.maxBytes)) return;
      queue.shift();
      this.waiting.delete(connectorId);
      // Moved behind all others, so that the loop reaches it again after them.
      if (queue.length > 0) this.waiting.set(connectorId, queue);
      this.payloads += 1;
      const room = this.take(next.bytes);
      next.enter({ ...room, end: () => { this.payloads -= 1; room.end(); } });
    }
  }

  private take(first: number): PayloadRoom {
    let bytes = 0;
    const holds = (now: number): void => {
      this.used += now - bytes;
      bytes = now;
    };
    holds(first);
    return {
      holds: (now) => {
        holds(now);
        this.letIn();
      },
      end: () => {
        holds(0);
        this.letIn();
      },
    };
  }
}
