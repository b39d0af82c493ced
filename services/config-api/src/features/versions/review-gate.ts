import { apiError } from '@sluice/service-kit';

/** The review gate of a publish. */
export interface Review {
  /** The organization requires a confirmation. */
  required: boolean;
  confirmedDraftVersion: number | null;
  draftVersion: number;
}

/** Whether a publish may do what its review names: the organization wants no confirmation, or this draft was confirmed. */
export const isConfirmed = ({ required, confirmedDraftVersion, draftVersion }: Review): boolean =>
  !required || confirmedDraftVersion === draftVersion;

/** @param what the publish would do, for the message */
export function reviewError({ confirmedDraftVersion, draftVersion }: Review, what: string): Error {
  const fields = { message: `The publish would ${what}: confirm it with review.draft_version.`, draft_version: draftVersion };
  return apiError(confirmedDraftVersion === null ? 'publish_review_required' : 'publish_review_outdated', fields);
}
