import type { RequiredEntity } from '@sluice/config-model';
import type { CrmResult } from '@sluice/ports';

/** What provisioning did for one entity, or for a pipeline (`pipeline:<label>`; then these are labels of stages). */
export interface Provisioned {
  entity: string;
  object_type: string;
  created: string[];
  skipped_existing: string[];
}

export interface ProvisioningError {
  entity: string;
  object_type: string;
  property: string | null;
  message: string;
}

export interface ProvisioningReport {
  provisioned: Provisioned[];
  errors: ProvisioningError[];
  /** The portal did not answer a call: no further call was made. */
  lost: boolean;
}

export const emptyReport = (): ProvisioningReport => ({ provisioned: [], errors: [], lost: false });

/** What a message is about. */
export type Subject = Pick<RequiredEntity, 'entity' | 'object_type'>;

export function addError(report: ProvisioningReport, subject: Subject, message: string, property: string | null = null): void {
  report.errors.push({ entity: subject.entity, object_type: subject.object_type, property, message });
}

type Failure = Extract<CrmResult<unknown>, { ok: false }>;

/** Notes a failed call; `what` describes it. */
export function addFailure(report: ProvisioningReport, subject: Subject, what: string, failure: Failure): void {
  if (failure.kind === 'transient') report.lost = true;
  addError(report, subject, `${what}: ${failure.message}`);
}
