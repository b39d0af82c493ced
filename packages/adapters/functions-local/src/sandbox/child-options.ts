import type { FunctionBounds } from '@sluice/ports';

/** What the service gives its child, as the only argument. */
export interface ChildOptions {
  bounds: FunctionBounds;
  /** Bytes of one frame of the service. */
  maxFrameBytes: number;
  /** MiB that the process may use in all, and of address space. */
  memoryMb: number;
  addressSpaceMb: number;
  /** Seconds of processor time after which the operating system ends the process. */
  cpuSeconds: number;
}
