import { readFileSync } from 'node:fs';
import { createEngine } from './engine';
import { MemorySnapshot } from './memory-snapshot';
import { readLayout } from './wasm-layout';

describe('the memory of the engine', () => {
  const wasm = readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));

  // The snapshot leaves the stack out, so it must know where that lies: a new version of the engine may change it.
  it('has its data, then a stack of 5 MiB, then the heap', () => {
    const { dataEnd, stackTop } = readLayout(wasm);
    const betweenBytes = stackTop - dataEnd;
    expect(betweenBytes).toBeGreaterThanOrEqual(5 * 1024 * 1024);
    expect(betweenBytes).toBeLessThan(5 * 1024 * 1024 + 64 * 1024);
  });

  it('of another module is not guessed', () => {
    expect(() => readLayout(wasm.subarray(0, 200))).toThrow();
    expect(() => readLayout(Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))).toThrow('no layout');
  });

  it('is put back byte by byte but for the stack', async () => {
    const { layout, open } = createEngine();
    const { quickjs, memory } = await open(64);
    const ctx = quickjs.newRuntime().newContext();
    const bytes = new Uint8Array(memory.buffer);
    const snapshot = new MemorySnapshot(bytes, layout);
    const before = bytes.slice();
    ctx.unwrapResult(ctx.evalCode('globalThis.kept = Array.from({ length: 50000 }, (_, i) => ({ i }));')).dispose();
    expect(Buffer.compare(bytes.subarray(layout.stackTop), before.subarray(layout.stackTop))).not.toBe(0);
    snapshot.restore(bytes);
    expect(Buffer.compare(bytes.subarray(layout.stackTop), before.subarray(layout.stackTop))).toBe(0);
    expect(Buffer.compare(bytes.subarray(0, layout.dataEnd), before.subarray(0, layout.dataEnd))).toBe(0);
    expect(ctx.dump(ctx.unwrapResult(ctx.evalCode('typeof kept')))).toBe('undefined');
    expect(snapshot.bytes).toBeLessThan(1024 * 1024);
  });
});
