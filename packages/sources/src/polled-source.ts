import type { SourceEvent } from './source-event';

/** An event that was read, with what tells whether its record has changed since the last time. */
export interface PolledEvent extends SourceEvent {
  /** Digest of the content, the same for the same content. */
  content: string;
}

/** What one step of a reading brought. */
export interface ReadPage {
  events: PolledEvent[];
  /** Why elements of it are no events: the first few texts, and how many there were. */
  leftOut: LeftOut;
}

export interface LeftOut {
  count: number;
  reasons: string[];
}

/** A page of JSON as its server answered it. */
export interface PageAnswer {
  /** Names in small letters. */
  headers: Readonly<Record<string, string | undefined>>;
  body: unknown;
}

/** What a reading uses. */
export interface Reading {
  /** The tick that it is for: the same reading is repeated with the same tick. */
  tick: Date;
  /** What the last reading that ended has left. null: none has. */
  cursor: unknown;
  /** GET with the headers and the credential of the source. Rejects with SourceReadError. */
  get(url: string): Promise<PageAnswer>;
}

/** How far a reading has come. It is stored once everything that it brought is in the log. */
export interface ReadEnd {
  /** undefined: it stays as it is. */
  cursor?: unknown;
  /** What an owner should know although the reading ended well. */
  note?: string;
}

/** How a source that Sluice reads is read: its config, compiled once. */
export interface PolledSource {
  /** null: with every tick of the worker. */
  schedule: { cron: string; zone: string } | null;
  /** Only events whose content differs from the last one of the same external id are taken. */
  changedOnly: boolean;
  /** Its events in pages of some hundred. Rejects with SourceReadError. */
  read(reading: Reading): AsyncGenerator<ReadPage, ReadEnd>;
}

/** A reading that failed, in words for the owner of the source. They hold no secret. */
export class SourceReadError extends Error {
  override readonly name = 'SourceReadError';

  constructor(
    message: string,
    readonly more: {
      /** HTTP status of the answer. */
      status?: number;
      /** Milliseconds for which the server asked not to be called. */
      retryAfterMs?: number;
    } = {},
  ) {
    super(message);
  }
}
