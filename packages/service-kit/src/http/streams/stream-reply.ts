import type { Readable } from 'node:stream';
import type { ByteRange } from '@sluice/ports';

/** A file as the answer of a route whose contract says `stream: 'file'`. */
export interface FileReply {
  /** Bytes of the whole file. */
  size: number;
  /** The name under which a browser stores it. */
  filename: string;
  /** Names its content, in quotes: a caller that has a part asks for the rest of the same content. */
  etag?: string;
  /** Opens the bytes that are asked for; undefined: all of them. */
  open(range: ByteRange | undefined): Promise<Readable>;
}

/** A server-sent event. */
export interface ServerEvent {
  /** A caller that reconnects sends the last one it saw. Without line breaks. */
  id?: string;
  /** Its kind, one of the contract's `events`. */
  event: string;
  /** Sent as JSON. */
  data: unknown;
}

/** How a streamed answer ended; with `complete` only the caller has all of it. */
export type StreamEnd = 'complete' | 'caller_left' | 'server_stopping' | 'caller_stalled' | 'failed';

/** How far a streamed answer is. `end` counts once its connection is closed: until something else is known, the caller left. */
export interface StreamProgress {
  /** Bytes of a file, events of a stream of events. */
  sent: number;
  end: StreamEnd;
}
