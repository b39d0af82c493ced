/** Where the parts of the engine's linear memory lie. Bytes. */
export interface WasmLayout {
  /** End of the data that the module itself brings. */
  dataEnd: number;
  /** Where the stack begins; it grows downwards to the data. The heap lies above. */
  stackTop: number;
}

const [globalSection, dataSection] = [6, 11];
const [i32Const, i32Type] = [0x41, 0x7f];
/** A data segment for memory 0, with an offset (WebAssembly core specification, 5.5.14). */
const activeSegment = 0;

/** Reads the layout of a WebAssembly module that Emscripten made: data, stack, heap, in this order. Throws for another one. */
export function readLayout(wasm: Uint8Array): WasmLayout {
  const reader = new Reader(wasm);
  reader.at = 8;
  let [dataEnd, stackTop] = [0, 0];
  while (!reader.ended) {
    const section = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    if (section === globalSection) stackTop = firstGlobal(reader);
    if (section === dataSection) dataEnd = endOfData(reader);
    reader.at = end;
  }
  if (dataEnd === 0 || stackTop <= dataEnd) throw new Error('the engine has no layout that is known');
  return { dataEnd, stackTop };
}

/** The stack pointer is the first global, and changes. */
function firstGlobal(reader: Reader): number {
  const count = reader.number();
  const isStackPointer = count > 0 && reader.byte() === i32Type && reader.byte() === 1 && reader.byte() === i32Const;
  return isStackPointer ? reader.number() : 0;
}

function endOfData(reader: Reader): number {
  let end = 0;
  for (let left = reader.number(); left > 0; left -= 1) {
    if (reader.number() !== activeSegment || reader.byte() !== i32Const) return 0;
    const offset = reader.number();
    reader.byte();
    const size = reader.number();
    end = Math.max(end, offset + size);
    reader.at += size;
  }
  return end;
}

class Reader {
  at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error('the module ends early');
    this.at += 1;
    return byte;
  }

  /** A number in LEB128. Those of this module are not negative. */
  number(): number {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = this.byte();
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return value >>> 0;
  }
}
