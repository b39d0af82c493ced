import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import moduleLoader from '@jitl/quickjs-wasmfile-release-sync/emscripten-module';
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi';
import {
  newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant, type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { readLayout, type WasmLayout } from './wasm-layout';

const pageBytes = 65_536;
/** What the module asks for at least: 16 MiB. */
const initialPages = 256;

/** As the package's own variant, without its import() of a CommonJS module. */
const variant: QuickJSSyncVariant = {
  type: 'sync',
  importFFI: () => Promise.resolve(QuickJSFFI),
  importModuleLoader: () => Promise.resolve(moduleLoader),
};

/** QuickJS, compiled once per process. */
export interface Engine {
  layout: WasmLayout;
  /** The text of `guest.js`. */
  guest: string;
  /** A module of its own, in a memory of its own that cannot grow beyond its maximum. */
  open(memoryMb: number): Promise<{ quickjs: QuickJSWASMModule; memory: WebAssembly.Memory }>;
}

export function createEngine(): Engine {
  const wasm = readFileSync(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
  const wasmModule = new WebAssembly.Module(wasm);
  return {
    layout: readLayout(wasm),
    guest: readFileSync(join(__dirname, 'guest.js'), 'utf8'),
    open: async (memoryMb) => {
      const maximum = Math.max(initialPages, Math.floor((memoryMb * 1024 * 1024) / pageBytes));
      const memory = new WebAssembly.Memory({ initial: initialPages, maximum });
      const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory: memory }));
      return { quickjs, memory };
    },
  };
}
