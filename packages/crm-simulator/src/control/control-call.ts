import type { Answer } from '../http/answer';
import type { SimulatorState } from '../state/simulator-state';

/** A request to the control surface. */
export interface ControlCall {
  readonly sim: SimulatorState;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body; an empty one is `{}`. */
  readonly body: unknown;
}

export interface ControlRoute {
  readonly method: string;
  readonly path: string;
  readonly handle: (call: ControlCall) => Answer;
}
