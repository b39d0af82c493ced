/** A planned fault (docs/reference/crm-simulator.md, Faults). */
export interface Fault {
  readonly faultId: string;
  readonly portalId?: number;
  readonly method?: string;
  readonly path?: RegExp;
  readonly bodyContains?: string;
  /** Undefined lets the call through (a mere delay) or cuts it (`drop`). */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly delayMs: number;
  readonly drop: boolean;
  readonly afterWrite: boolean;
  readonly probability: number;
  /** How often it still strikes; undefined means always. One that is used up stays until deleted. */
  left?: number;
}

/** What faults look at. `path` has no query. */
export interface FaultTarget {
  readonly portalId: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Whether a fault is meant for this call, chance aside. */
function faultFits(fault: Fault, call: FaultTarget): boolean {
  return (fault.portalId === undefined || fault.portalId === call.portalId)
    && (fault.method === undefined || fault.method === call.method)
    && (fault.path === undefined || fault.path.test(call.path))
    && (fault.bodyContains === undefined || call.body.includes(fault.bodyContains));
}

/** The faults in force, in order of creation; the first that strikes is used. */
export class Faults {
  readonly #faults = new Map<string, Fault>();
  #next = 1;

  constructor(private readonly random: () => number) {}

  add(fault: Omit<Fault, 'faultId'>): string {
    const faultId = `fault-${this.#next}`;
    this.#next += 1;
    this.#faults.set(faultId, { ...fault, faultId });
    return faultId;
  }

  remove(faultId: string): boolean {
    return this.#faults.delete(faultId);
  }

  clear(): number {
    const count = this.#faults.size;
    this.#faults.clear();
    return count;
  }

  /** The fault that strikes this call, if any; uses up one of its times. */
  strike(call: FaultTarget): Fault | undefined {
    for (const fault of this.#faults.values()) {
      if (fault.left === 0 || !faultFits(fault, call) || (fault.probability < 1 && this.random() >= fault.probability)) continue;
      if (fault.left !== undefined) fault.left -= 1;
      return fault;
    }
    return undefined;
  }
}
