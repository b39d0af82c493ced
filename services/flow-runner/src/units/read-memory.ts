/** Most text of one page of held events, also where there is room for more: as much as one fetched batch. */
const maxPageBytes = 1024 * 1024;

/** A large payload in memory takes about so many times its bytes while it is parsed: the bytes, the text and the values. */
const whileParsed = 3;

/** The room of one page of held events. */
export interface PageRoom {
  /** Bytes of text that may be read; two events always are. */
  readonly textBytes: number;
  /** What the events that were read take in memory. */
  holds(bytes: number): void;
  end(): void;
}

/** The room of one large payload. */
export interface PayloadRoom {
  holds(bytes: number): void;
  end(): void;
}

interface Asker {
  bytes: number;
  enter(room: PayloadRoom): void;
}

/**
 * What events take in memory that are read back: from the held store, page by page, and from the blob store. Both share one
 * bound. A page never waits, it becomes smaller: what waits in a scope may be what others wait for. A payload waits for room,
 * unless no other one is in memory: who holds one ends without asking for more. Connectors take turns.
 */
export class ReadMemory {
  private used = 0;
  private payloads = 0;
  private readonly waiting = new Map<string, Asker[]>();

  constructor(private readonly maxBytes: number) {}

  /** Takes the room of the next page. */
  page(): PageRoom {
    const textBytes = Math.max(1, Math.min(maxPageBytes, this.maxBytes - this.used));
    return { textBytes, ...this.take(textBytes) };
  }

  /** Waits until a stored payload of so many bytes may be read. */
  payload(connectorId: string, storedBytes: number): Promise<PayloadRoom> {
    return new Promise((enter) => {
      const asker: Asker = { bytes: storedBytes * whileParsed, enter };
      const ofConnector = this.waiting.get(connectorId);
      if (ofConnector) ofConnector.push(asker);
      else this.waiting.set(connectorId, [asker]);
      this.letIn();
    });
  }

  /** Lets in those that are next, in turn, as long as there is room. */
  private letIn(): void {
    for (const [connectorId, askers] of this.waiting) {
      const [next] = askers;
      if (!next || (this.payloads > 0 && this.used + next.bytes > this.maxBytes)) return;
      askers.shift();
      this.waiting.delete(connectorId);
      // After all others. The loop comes to it again when it has gone through them.
      if (askers.length > 0) this.waiting.set(connectorId, askers);
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
