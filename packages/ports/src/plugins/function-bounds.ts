/** Bounds of one invocation of a function (ADR 0165). */
export interface FunctionBounds {
  /** From the start to the answer, waits included. Milliseconds. */
  wallMs: number;
  memoryMb: number;
  /** Bytes of the answer as JSON. */
  responseBytes: number;
  logLines: number;
  /** Bytes of one line; a longer one is cut. */
  logLineBytes: number;
  fetches: number;
  /** Bytes of a request's body, and of an answer's after it was unpacked. */
  fetchBytes: number;
}

/** The bounds unless settings say otherwise. */
export const functionBounds: FunctionBounds = {
  wallMs: 10_000,
  memoryMb: 128,
  responseBytes: 1024 * 1024,
  logLines: 200,
  logLineBytes: 2_048,
  fetches: 20,
  fetchBytes: 1024 * 1024,
};

/** Nesting of lists and objects in an answer. Deeper values would overflow the stack of whoever walks them. */
export const functionAnswerDepth = 100;
