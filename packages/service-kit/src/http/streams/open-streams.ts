import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parseSettings, streamSettings } from '../../settings';
import { apiError } from '../errors/http-error';

export interface StreamLimits {
  /** Streams under way at once. */
  max: number;
  /** Milliseconds that the other side may let pass without reading or sending. */
  idleMs: number;
  /** Milliseconds after which a stream of events without an event carries a comment. */
  heartbeatMs: number;
  /** Milliseconds that uploads and downloads under way may go on after the server began to stop. */
  drainMs: number;
}

/** The settings of streams, of a service that may have none. */
type StreamSettings = { readonly [Name in keyof typeof streamSettings]?: number | null };

/** The limits that the settings of a service name; the usual ones where it has none. */
export function streamLimits(settings: StreamSettings): StreamLimits {
  return {
    max: settings.maxStreams ?? defaults.maxStreams,
    idleMs: settings.streamIdleMs ?? defaults.streamIdleMs,
    heartbeatMs: settings.streamHeartbeatMs ?? defaults.streamHeartbeatMs,
    drainMs: settings.streamDrainMs ?? defaults.streamDrainMs,
  };
}

const defaults = parseSettings(streamSettings, {});

/** One stream under way. */
export interface OpenStream {
  /** To be called when it has ended, however it ended. */
  leave(): void;
}

/** One caller may have this part of the streams: the others stay reachable. */
const shareOfCaller = 0.25;

/**
 * The uploads, downloads and event streams under way on one HTTP server. Invariant: every stream is entered before its first byte
 * and leaves exactly once; after `stop` none enters, and `stop` resolves when the last has left.
 */
export class OpenStreams {
  readonly limits: StreamLimits;
  private readonly stopped = new AbortController();
  private readonly byCaller = new Map<string, number>();
  private readonly open = new Set<OpenStream & { socket: Socket }>();
  private whenEmpty: (() => void) | undefined;

  constructor(limits: Partial<StreamLimits> = {}) {
    this.limits = { ...streamLimits({}), ...limits };
  }

  /** Aborted when the server begins to stop: streams of events end then, by themselves. */
  get stopping(): AbortSignal {
    return this.stopped.signal;
  }

  /** Streams under way. */
  get count(): number {
    return this.open.size;
  }

  /**
   * @param caller who has it, for fair shares
   * @throws HttpError 503 when there are too many, or the server is stopping
   */
  enter(socket: Socket, caller: string): OpenStream {
    const own = this.byCaller.get(caller) ?? 0;
    const { max } = this.limits;
    if (this.stopping.aborted || this.count >= max || own >= Math.ceil(max * shareOfCaller))
      throw apiError('too_many_streams', {}, { 'Retry-After': '5', ...(this.stopping.aborted && { Connection: 'close' }) });
    this.byCaller.set(caller, own + 1);
    const stream = { socket, leave: () => { if (this.open.delete(stream)) this.leftBy(caller); } };
    this.open.add(stream);
    return stream;
  }

  /** Lets none enter, ends the streams of events, and after the drain time cuts the connections of those still under way. */
  async stop(): Promise<void> {
    this.stopped.abort();
    if (this.count === 0) return;
    const empty = new Promise<void>((resolve) => { this.whenEmpty = resolve; });
    const timer = setTimeout(() => this.open.forEach(({ socket }) => socket.destroy()), this.limits.drainMs);
    await empty.finally(() => clearTimeout(timer));
  }

  private leftBy(caller: string): void {
    const own = (this.byCaller.get(caller) ?? 1) - 1;
    if (own > 0) this.byCaller.set(caller, own);
    else this.byCaller.delete(caller);
    if (this.count === 0) this.whenEmpty?.();
  }
}

const byConnection = new WeakMap<Socket, OpenStreams>();
/** For requests that no `createHttpServer` took, as in tests of an app alone. */
const elsewhere = new OpenStreams();

/** Notes whose connection this is. */
export function ownConnection(socket: Socket, streams: OpenStreams): void {
  byConnection.set(socket, streams);
}

/** The streams of the server that took the request. */
export function openStreamsOf({ socket }: Pick<IncomingMessage, 'socket'>): OpenStreams {
  return byConnection.get(socket) ?? elsewhere;
}
