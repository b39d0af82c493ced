import type { ValidationEntry } from '@sluice/contracts';
import type { CheckedSource } from './checked-source';
import type { PolledSource } from './polled-source';
import type { SourceEvent } from './source-event';

/** Headers by their names in small letters, as node:http has them. */
export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A call whose sender knows the secret. */
export interface VerifiedCall {
  /** What a repetition of exactly this call has in common with it; null: nothing, because its signature has no time. */
  repeat: string | null;
}

/** The events of a call, or everything that is wrong with it. `loc` of a problem starts with `body`. */
export type ReadCall =
  | { ok: true; events: SourceEvent[]; isSplit: boolean }
  | { ok: false; problems: ValidationEntry[] };

/** A call as it arrived. */
export interface SentCall {
  headers: CallHeaders;
  /** As it was sent, packed or not. */
  body: Buffer;
  /** What follows the source's name in the path; null: nothing. */
  token: string | null;
}

/** How the calls of one source are read: its config, compiled once. */
export interface Receiver {
  /** Whether its calls are signed. Those of another source prove by a random part of the path that they know it. */
  signed: boolean;
  /**
   * Whether the sender of a call knows the secret. Only bytes are compared: nothing of a stranger is parsed or unpacked.
   * @param now milliseconds since the epoch
   * @returns null: it does not
   */
  verify(call: SentCall, secret: string, now: number): VerifiedCall | null;
  /** @param body parsed */
  read(body: unknown, headers: CallHeaders, verified: VerifiedCall): ReadCall;
}

/**
 * How a type of source is served; a type without a runtime can be declared, and has no effect.
 * - requests: `POST /api/v1/events` and the legacy-compatible ingress, whose requests name types and ids themselves
 * - flows: no events come from it; flows send to it (packages/rest-targets)
 * - receive: ingest-api takes calls for it at `/api/webhooks/{connector_id}/<name>`
 * - poll: journal-poller reads it when it is due
 * - journal: journal-poller reads the change journal of the CRM, once for all connectors, and gives each its changes
 * - files: config-api takes uploads, journal-poller watches folders and reads the rows of both (`fileRows`)
 */
export type SourceRuntime<Config> =
  | { by: 'requests' }
  | { by: 'flows' }
  | { by: 'files' }
  | { by: 'journal' }
  | { by: 'receive'; receive(source: CheckedSource<Config>): Receiver }
  | { by: 'poll'; poll(source: CheckedSource<Config>): PolledSource };
