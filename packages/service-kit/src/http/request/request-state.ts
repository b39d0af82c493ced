import type { Logger } from '@sluice/ports';
import type { Response } from 'express';
import type { WideEvent } from '../../log/wide-event';

/** What the app keeps of a request until its log line is written. */
export interface RequestState {
  requestId: string;
  /** Address of the caller. */
  address: string;
  logger: Logger;
  wide: WideEvent;
  /** Contract name, or what stands for it (`not_found`), for the log and the metrics. */
  route: string;
}

const states = new WeakMap<Response, RequestState>();

export function keepState(response: Response, state: RequestState): void {
  states.set(response, state);
}

/** The request's state. Throws when the app did not begin this request: a bug. */
export function stateOf(response: Response): RequestState {
  const state = states.get(response);
  if (!state) throw new Error('this response was not begun by createHttpApp');
  return state;
}
