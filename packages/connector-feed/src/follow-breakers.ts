import { type BreakerStore, type FlowBreaker, type Logger, type MonotonicClock, stateInForce } from '@sluice/ports';
import { createTicker } from '@sluice/service-kit';

/** The breakers that are not closed, as this process knows them: no older than two seconds while the database answers. */
export interface BreakerFeed {
  start(): void;
  stop(): Promise<void>;
  /** Resolves when the store was asked for the first time, whether it answered or not. */
  asked(): Promise<void>;
  /** Breakers of a connector whose state in force is not closed. Synchronous, from memory. */
  of(connectorId: string): readonly FlowBreaker[];
  /** The breaker of a flow, when it is not closed. */
  get(connectorId: string, flowName: string): FlowBreaker | undefined;
  /** What this process has just changed itself. */
  learn(breakers: readonly FlowBreaker[]): void;
  /** The store's time, milliseconds since the epoch. */
  now(): number;
  /** Called with each breaker whose state has changed, with those that closed too. */
  onChange(listener: (breaker: FlowBreaker) => void): void;
}

/** How often a process asks unless it says otherwise, milliseconds. */
const usualEveryMs = 1_000;
/** How often the event API asks: it refuses events of open breakers. */
export const eventApiAsksMs = 250;
/** After so many milliseconds the event API knows of a change: one question may just have been asked. */
export const breakersKnownMs = 2 * eventApiAsksMs;
/** A transaction that changed a breaker may be committed this long after it read the time. */
const overlapMs = 30_000;
const nothing: readonly FlowBreaker[] = [];

/**
 * Follows the breakers by asking for those that changed: few are not closed, and a flow may be stopped for at most two seconds
 * before every process knows. While the database is away, the last known states stay.
 */
export function followBreakers(
  { store, logger, monotonicNow, everyMs = usualEveryMs }: {
    store: Pick<BreakerStore, 'changed'>; logger: Logger; monotonicNow: MonotonicClock; everyMs?: number;
  },
): BreakerFeed {
  const known = new Map<string, FlowBreaker[]>();
  const listeners: ((breaker: FlowBreaker) => void)[] = [];
  let clock: { storeMs: number; at: number } | null = null;
  let failing = false;
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => { isAsked = resolve; });

  const put = (breaker: FlowBreaker): void => {
    const others = (known.get(breaker.connectorId) ?? []).filter(({ flowName }) => flowName !== breaker.flowName);
    const before = known.get(breaker.connectorId)?.find(({ flowName }) => flowName === breaker.flowName);
    const list = stateInForce(breaker) === 'closed' ? others : [...others, breaker];
    if (list.length === 0) known.delete(breaker.connectorId);
    else known.set(breaker.connectorId, list);
    if (JSON.stringify(before) !== JSON.stringify(breaker)) for (const listener of listeners) listener(breaker);
  };
  const look = async (): Promise<void> => {
    try {
      const { breakers, storeMs } = await store.changed(clock === null ? null : clock.storeMs - overlapMs);
      clock = { storeMs, at: monotonicNow() };
      for (const breaker of breakers) put(breaker);
      if (failing) logger.info('flow breakers are followed again');
      failing = false;
    } catch (error) {
      if (!failing) logger.warn('flow breakers cannot be followed, the last known states stay', { error });
      failing = true;
    }
    isAsked();
  };
  const ticker = createTicker({ name: 'flow breakers', everyMs, logger, run: look });
  return {
    start: () => ticker.start(),
    stop: () => ticker.stop(),
    asked: () => asked,
    of: (connectorId) => known.get(connectorId) ?? nothing,
    get: (connectorId, flowName) => known.get(connectorId)?.find((one) => one.flowName === flowName),
    learn: (breakers) => breakers.forEach(put),
    now: () => (clock === null ? Date.now() : clock.storeMs + monotonicNow() - clock.at),
    onChange: (listener) => void listeners.push(listener),
  };
}
