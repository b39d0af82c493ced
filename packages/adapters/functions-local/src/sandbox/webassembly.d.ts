/** The part of the WebAssembly API that the sandbox uses: Node 20 has no types for it, those of browsers bring all of the DOM. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
}
