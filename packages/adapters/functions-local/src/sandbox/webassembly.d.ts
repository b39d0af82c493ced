/** The part of the WebAssembly API that the sandbox uses: the types of Node 20 have none, and those of browsers bring all of the DOM. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
}
