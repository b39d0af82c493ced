// In a file of its own, so that the pure packages can import it without the types of Node.

/** How a failure is treated: retried, given up, or held (docs/reference/events.md, Failures and attempts). */
export type ErrorKind = 'transient' | 'permanent' | 'fatal';

/** Every code of a failed step, and what it means. Outcomes keep it (`error_code`), and decisions are made by it. */
export const failureCodes = {
  // The flow and its config
  bug: 'The step failed in a way nobody foresaw.',
  expression_limit: 'The step asks for more work than an event may cost.',
  step_limit: 'The step asks for more than its action allows.',
  mapping_failed: 'A mapping of the entity could not be applied to the event.',
  identity_failed: 'The identity of the record could not be computed.',
  unknown_entity: 'The entity is not in the config.',
  unknown_schema: 'The entity has no such schema.',
  entity_without_crm_schema: 'The entity has no schema for the CRM.',
  target_not_crm: 'The action writes to the CRM only.',
  // The event
  payload_gone: 'The stored payload of the event no longer exists.',
  blob_unavailable: 'The payload store cannot be reached.',
  crashed_runner: 'Flow runners died while the event was under way.',
  // The record
  identity_missing: 'The event has no identity value for the record.',
  identity_guard: 'An existing record would change more than its guard allows.',
  identity_conflict: 'The record, or the identity it is to get, belongs to another external id.',
  identity_claimed: 'Another event is creating the record.',
  identity_claim_renewed: 'The claim of the identity was renewed; the create follows.',
  identity_unresolved: "An earlier attempt may have created the record; the CRM's search does not show it yet.",
  related_record_not_synced: 'The other end of an association is still to come.',
  superseded: 'Something newer was written to the record.',
  target_deleted: 'The record was deleted in the CRM.',
  // Associations
  association_definition_missing: 'No association between the two types is defined on the portal.',
  association_failed: 'Some associations of the step failed.',
  unknown_association_type_id: 'The association type does not exist between the two types.',
  ambiguous_association_type_id: 'The association type exists under several categories.',
  crm_association_rejected: 'The CRM refused the association.',
  crm_association_postponed: 'The CRM could not write the association at the moment.',
  // The portal and its credential
  crm_portal_not_bound: 'The connector is not bound to a CRM portal.',
  crm_credential_gone: 'The credential bound to the connector does not exist any more.',
  credential_refresh_failed: 'The access token could not be refreshed.',
  credential_refresh_busy: 'The access token is being refreshed by another call.',
  crm_token_refused: 'The CRM refused to refresh the access token.',
  portal_dry: 'The portal allows no further calls at the moment.',
  write_cap_reached: 'The connector has written as many records as its first sync may before somebody looks at them.',
  lease_lost: 'The partition moved to another runner.',
  // REST destinations before a request is sent
  unknown_destination: 'The destination is no source of type rest of this config.',
  target_request_invalid: 'A URL or a header of the request cannot be sent.',
  target_refused: 'The address of the destination may not be called.',
  target_disabled: 'The destination is switched off.',
  target_closed: 'The destination is not called at the moment: it fails every call, asked to wait, or is busy.',
  target_credential_missing: 'A credential that the destination names does not exist any more.',
  target_credential_unusable: 'A credential of the destination cannot be sent as its source says.',
  target_token_refused: 'The token endpoint of the destination refused the client credentials.',
  target_token_unavailable: 'The token endpoint of the destination gave no token.',
  // Answers of REST destinations
  target_unauthorized: '401 or 403 of the destination.',
  target_redirected: 'A redirect of the destination, which is not followed.',
  target_rejected: 'Any other 4xx of the destination.',
  target_unavailable: '5xx, 408, 425 or 429 of the destination.',
  target_answer_too_large: 'The destination did what was asked; its answer is longer than what is read.',
  // REST destinations without an answer
  target_not_reached: 'No connection to the destination could be made: nothing was sent.',
  target_no_answer: 'The destination did not answer: whether it did what was asked is unknown.',
  // Plugins
  plugin_unresolved: 'The step has no function: its version was published without the plugin.',
  plugin_missing: 'The function of the plugin does not exist any more.',
  plugin_threw: 'The handler of the plugin threw.',
  plugin_limit: 'The plugin was over a bound of time, memory, stack or answer.',
  plugin_response_invalid: 'A reserved key of the answer of the plugin has a wrong value.',
  plugin_store_limit: 'The plugin reads or writes more of its store than one invocation may.',
  plugin_retry: 'The plugin asked for a retry.',
  plugin_refused: 'The plugin declared that the target refused the record.',
  plugin_interrupted: 'The process that ran the plugin ended.',
  plugin_busy: 'Too many plugins of the organization run at the moment.',
  plugin_unavailable: 'The function platform cannot be reached.',
  // Files
  file_unreadable: 'The content of the file is not base64.',
  file_too_large: 'The file is larger than allowed.',
  file_source_refused: 'The address that the file is read from may not be called.',
  file_source_rejected: 'The address that the file is read from does not give it: a 4xx, or a redirect.',
  file_source_unavailable: 'The address that the file is read from did not answer, or with a 5xx, 408, 425 or 429.',
  // Answers of the CRM
  crm_unauthorized: '401, also after a refresh of the token.',
  crm_forbidden: '403: the credential lacks a scope.',
  crm_not_found: '404.',
  crm_conflict: '409.',
  crm_value_taken: 'Another record has a unique value of this one.',
  crm_locked: '423.',
  crm_rate_limited: '429.',
  crm_migrating: '477: the portal moves between data centres.',
  crm_rejected: 'Any other 4xx: the CRM refused what was sent.',
  crm_unavailable: '5xx, 408 or 425.',
  crm_answer_incomplete: 'The CRM answered without saying what became of the record.',
  crm_unreadable: 'The answer of the CRM could not be read.',
  crm_search_stale: 'The record that a search found is gone.',
  crm_name_unusable: 'A name cannot be part of the path of a call.',
  // Calls without an answer
  crm_not_reached: 'No connection to the CRM could be made: nothing was sent.',
  crm_unreachable: 'The connection to the CRM broke.',
  crm_timeout: 'The CRM did not answer in time.',
  crm_aborted: 'The call was given up.',
} as const;
export type FailureCode = keyof typeof failureCodes;

/**
 * Failures that are not about the event itself: they use up no attempt. The waits for an identity are bounded by the age at which
 * a claim is abandoned (ADR 0007); retries that are shorter than the CRM's search lag would end the event before it.
 */
export const uncountedCodes = [
  'portal_dry', 'blob_unavailable', 'write_cap_reached', 'plugin_busy', 'plugin_unavailable', 'target_closed',
  'identity_claim_renewed', 'identity_unresolved', 'identity_claimed',
] as const satisfies readonly FailureCode[];
export type UncountedCode = (typeof uncountedCodes)[number];

const uncounted: ReadonlySet<FailureCode> = new Set(uncountedCodes);

/** Whether a failure uses up no attempt. */
export const isUncounted = (code: FailureCode): code is UncountedCode => uncounted.has(code);

/** An expected failure of a step. */
export interface StepFailure {
  kind: ErrorKind;
  code: FailureCode;
  /** For people; never carries a secret. */
  message: string;
  /** Wait the target asked for (Retry-After), milliseconds. */
  retryAfterMs?: number;
  /** Only this step waits, not its lane: the record it needs is still to come. */
  stepsAside?: boolean;
  /**
   * What waits with a transient failure. Default: its lane. `connector`: all of its connector; `event`: only the event itself.
   */
  waitsIn?: 'connector' | 'event';
}

/** An expected failure of an outside call. */
export interface CallFailure extends StepFailure {
  ok: false;
  /** With `crm_value_taken`: the CRM record that holds a unique value of the one that was to be written. */
  holderId?: string;
}
