import type { WasmLayout } from './wasm-layout';

/** Statics that follow the data of the module, at most. */
const staticsBytes = 64 * 1024;
/** Bytes above the heap that are always cleared, and the distance at which the rest is probed. */
const [alwaysCleared, probeEvery] = [256 * 1024, 256];

/**
 * The memory of an instance after its code was loaded, to be put back after each invocation: so the next one finds what the first
 * one found. The stack is left out: nothing on it is alive between invocations.
 */
export class MemorySnapshot {
  private readonly statics: Uint8Array;
  private readonly heap: Uint8Array;
  private readonly heapStart: number;

  constructor(memory: Uint8Array, { dataEnd, stackTop }: WasmLayout) {
    const end = usedEnd(memory);
    this.statics = memory.slice(0, Math.min(dataEnd + staticsBytes, stackTop));
    this.heap = memory.slice(stackTop, Math.max(end, stackTop));
    this.heapStart = stackTop;
  }

  get bytes(): number {
    return this.statics.length + this.heap.length;
  }

  restore(memory: Uint8Array): void {
    memory.set(this.statics);
    memory.set(this.heap, this.heapStart);
    const end = this.heapStart + this.heap.length;
    memory.fill(0, end, end + alwaysCleared);
    if (isUsed(memory, end + alwaysCleared)) memory.fill(0, end + alwaysCleared);
  }
}

/** Parts of the memory that are compared with zeros at once: a page, and less. Many times faster than a look at each byte. */
const partBytes = [64 * 1024, 1024] as const;
const zeros = new Uint8Array(partBytes[0]);

/** The end of the last part of the memory that is not all zero. A memory is a whole number of pages. */
function usedEnd(memory: Uint8Array): number {
  let end = memory.length;
  for (const size of partBytes) {
    const none = zeros.subarray(0, size);
    while (end > 0 && Buffer.compare(memory.subarray(end - size, end), none) === 0) end -= size;
  }
  return end;
}

function isUsed(memory: Uint8Array, from: number): boolean {
  for (let place = from; place < memory.length; place += probeEvery) if (memory[place] !== 0) return true;
  return false;
}
