import type { VerifiedRecord } from '@sluice/flow-run';
import type { UnitToVerify } from './verify-event-job';

/** The kind of the requests, and the worker that answers them. */
export const verifyKind = 'events.verify';

/** What a service that cannot read the CRM asks. */
export interface VerifyRequest {
  connectorId: string;
  units: readonly UnitToVerify[];
}

/** An answer other than success, which goes to the caller unchanged. */
export interface Refusal {
  status: number;
  detail: unknown;
  headers: Readonly<Record<string, string>>;
}

export type VerifyAnswer = { entities: VerifiedRecord[] } | { refused: Refusal };
