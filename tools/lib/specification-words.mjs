/**
 * What the specification names: its routes, codes, states, limits and settings. docs/conformance.md has a rule for each of them, built or not
 * (tools/gen/conformance.mjs). Routes and codes of the product itself are in `@sluice/contracts`; here stands what the product may still lack.
 */

const connector = '/api/connectors/{connector_id}';

/** Method and path; what the parameters are called does not count. */
export const routes = [
  'POST /api/auth/login', 'POST /api/auth/login/mfa', 'POST /api/auth/refresh', 'POST /api/auth/signup', 'POST /api/auth/logout',
  'POST /api/auth/verify-email', 'POST /api/auth/resend-verification', 'POST /api/auth/password-reset', 'POST /api/auth/password-reset/confirm',
  'GET /api/auth/oidc/start', 'GET /api/auth/oidc/callback',
  'POST /api/org-api-keys', 'GET /api/org-api-keys', 'DELETE /api/org-api-keys/{key_id}',
  `POST ${connector}/api-keys`, `GET ${connector}/api-keys`, `DELETE ${connector}/api-keys/{key_id}`,
  `POST ${connector}/compat-keys`, `GET ${connector}/compat-keys`, `DELETE ${connector}/compat-keys/{key_id}`,
  'GET /api/quickstart.md', 'GET /api/v1/templates', 'GET /api/v1/templates/{template_id}', 'POST /api/v1/connectors/from-template/{template_id}',
  'POST /api/connectors', 'GET /api/connectors', `GET ${connector}`, `PATCH ${connector}`, `DELETE ${connector}`,
  `GET ${connector}/draft`, `PUT ${connector}/draft`, `PATCH ${connector}/draft`, `POST ${connector}/draft/reset`,
  `PUT ${connector}/draft/entities/{name}`, `DELETE ${connector}/draft/entities/{name}`, `POST ${connector}/draft/entities/{name}/discard`,
  `GET ${connector}/draft/entities/{name}/field-mapping-suggestions`, `PUT ${connector}/draft/flows/{name}`, `DELETE ${connector}/draft/flows/{name}`,
  `POST ${connector}/draft/flows/{name}/dry-run`, `PUT ${connector}/draft/sources/{name}`, `PATCH ${connector}/draft/sources/{name}`,
  `DELETE ${connector}/draft/sources/{name}`, `PATCH ${connector}/draft/settings`,
  `POST ${connector}/publish`, `GET ${connector}/preview`, `GET ${connector}/preflight`, `GET ${connector}/publish-review`,
  `GET ${connector}/versions`, `GET ${connector}/versions/active`, `GET ${connector}/versions/{version}`,
  `GET ${connector}/versions/{from}/diff/{to}`, `POST ${connector}/versions/{version}/restore`,
  `GET ${connector}/sources`, `POST ${connector}/sources`, `PATCH ${connector}/sources/{name}`, `DELETE ${connector}/sources/{name}`,
  `POST ${connector}/sources/{name}/rotate-secret`, `POST ${connector}/sources/{name}/poll`, `POST ${connector}/sources/{name}/resume`,
  `POST ${connector}/sources/{name}/files`, `GET ${connector}/sources/{name}/files`, `GET ${connector}/sources/{name}/files/{file_id}`,
  `GET ${connector}/crm-pipelines/{object_type}`, `GET ${connector}/crm-properties/{object_type}`,
  `GET ${connector}/crm-association-types/{from_object_type}/{to_object_type}`,
  `POST ${connector}/identity/adopt`, `GET ${connector}/identity-mappings/count`, `DELETE ${connector}/identity-mappings/record`,
  'POST /api/v1/events', 'GET /api/v1/events/{event_id}/status', 'GET /api/v1/events/{event_id}/verify',
  'POST /api/webhooks/{connector_id}/{name}', 'POST /api/v1/compat/{connector_id}/api/check/{callId}',
  'POST /api/v1/compat/{connector_id}/api/resend/{action}/{callId}',
  `GET ${connector}/errors/summary`, `GET ${connector}/sync-jobs`, `GET ${connector}/stats`, `GET ${connector}/stats/timeline`,
  `GET ${connector}/stats/timeseries`, `GET ${connector}/inbound-backlog`, `POST ${connector}/flows/{flow_name}/retry`,
  `GET ${connector}/sync-events`, `GET ${connector}/sync-events/{sync_event_id}`, `GET ${connector}/sync-events/summary`,
  `POST ${connector}/sync-events/{sync_event_id}/replay`, `POST ${connector}/replays`, `GET ${connector}/replays`,
  `GET ${connector}/replays/{replay_id}`, `POST ${connector}/replays/{replay_id}/cancel`, `POST ${connector}/write-cap/release`,
  `GET ${connector}/conflicts`, `GET ${connector}/conflicts/count`, `GET ${connector}/sla`, 'GET /api/health/data-plane', 'GET /api/config-surface',
  'POST /api/credentials', 'GET /api/credentials', 'GET /api/credentials/{credential_id}', 'PUT /api/credentials/{credential_id}',
  'DELETE /api/credentials/{credential_id}',
  'POST /api/plugins', 'GET /api/plugins', 'GET /api/plugins/{plugin_id}', 'PATCH /api/plugins/{plugin_id}', 'DELETE /api/plugins/{plugin_id}',
  'POST /api/plugins/{plugin_id}/push', 'POST /api/plugins/{plugin_id}/promote', 'POST /api/plugins/{plugin_id}/invoke',
  'GET /api/plugins/{plugin_id}/logs', 'GET /api/plugins/{plugin_id}/metrics', 'GET /api/plugins/{plugin_id}/source',
  'GET /api/plugins/{plugin_id}/bundle', 'GET /api/plugins/{plugin_id}/lifecycle', 'POST /api/plugins/{plugin_id}/lifecycle/setup',
  'POST /api/plugins/{plugin_id}/lifecycle/teardown',
  'POST /api/data-exports', 'GET /api/data-exports', 'GET /api/data-exports/{export_id}', 'GET /api/data-exports/{export_id}/download',
  'GET /api/orgs', 'POST /api/orgs', 'GET /api/orgs/{organization_id}', 'PATCH /api/orgs/{organization_id}',
  'GET /api/orgs/{organization_id}/members', 'PATCH /api/orgs/{organization_id}/members/{user_id}',
  'DELETE /api/orgs/{organization_id}/members/{user_id}', 'POST /api/orgs/{organization_id}/invitations',
  'GET /api/orgs/{organization_id}/invitations', 'DELETE /api/orgs/{organization_id}/invitations/{invitation_id}',
  'POST /api/invitations/{token}/accept', 'POST /api/orgs/{organization_id}/close', 'POST /api/orgs/{organization_id}/reopen',
  'GET /api/orgs/{organization_id}/audit',
  'GET /api/me', 'PATCH /api/me', 'DELETE /api/me', 'PUT /api/me/active-organization', 'POST /api/me/password', 'POST /api/me/email',
  'POST /api/me/email/confirm', 'GET /api/me/sessions', 'DELETE /api/me/sessions/{session_id}',
  'POST /api/me/mfa/enroll', 'POST /api/me/mfa/confirm', 'POST /api/me/mfa/disable', 'POST /api/me/mfa/recovery-codes',
  'GET /api/v1/billing/me', 'POST /api/v1/billing/checkout', 'POST /api/v1/billing/change-preview', 'POST /api/v1/billing/portal',
  'GET /api/v1/billing/details', 'PUT /api/v1/billing/details', 'POST /api/v1/billing/orders/{order_id}/confirm',
  'GET /api/v1/billing/agreements', 'POST /api/v1/billing/agreements/{agreement_id}/accept', 'POST /api/v1/billing/stripe/webhook',
  'GET /api/v1/auth/crm/callback', 'POST /api/v1/auth/crm/install/{token}/attach',
  `POST ${connector}/bulk-imports`, `GET ${connector}/bulk-imports`, `GET ${connector}/bulk-imports/{import_id}`,
  `GET ${connector}/bulk-imports/{import_id}/rows`, `POST ${connector}/bulk-imports/{import_id}/cancel`, `POST ${connector}/bulk-imports/{import_id}/retry`,
  `POST ${connector}/verifications`, `GET ${connector}/verifications`, `GET ${connector}/verifications/{verification_id}`,
  `GET ${connector}/verifications/{verification_id}/rows`, `POST ${connector}/verifications/{verification_id}/cancel`,
  `POST ${connector}/verifications/{verification_id}/repair`,
  `POST ${connector}/assistant/sessions`, `GET ${connector}/assistant/sessions`, `GET ${connector}/assistant/sessions/{session_id}`,
  `POST ${connector}/assistant/sessions/{session_id}/messages`, `GET ${connector}/assistant/sessions/{session_id}/events`,
  `POST ${connector}/assistant/sessions/{session_id}/proposals/{proposal_id}/apply`,
  'POST /operator/organizations', 'GET /operator/organizations/{organization_id}', 'PATCH /operator/organizations/{organization_id}',
  'GET /operator/outbox', 'GET /operator/overview', 'GET /livez', 'GET /readyz', 'GET /metrics',
];

/** Codes of answers, findings and rows that the error table of the contracts may not have yet. */
export const codes = [
  'already_member', 'already_on_plan', 'api_key_cannot_create_org', 'assistant_token_limit_reached', 'assistant_unavailable', 'billing_unavailable',
  'connector_not_published', 'crm_install_failed', 'draft_version_conflict', 'install_consumed', 'install_expired', 'install_not_found',
  'invalid_row', 'invitation_accepted', 'invitation_expired', 'invitation_for_other_account', 'invitation_not_found', 'invitation_revoked',
  'job_ended', 'job_running', 'last_owner', 'nothing_to_repair', 'nothing_to_retry', 'oidc_denied', 'oidc_not_configured', 'oidc_state_invalid',
  'oidc_token_invalid', 'oidc_unavailable', 'order_not_paid', 'organization_not_closing', 'password_too_common', 'plugin_in_use', 'plugin_name_taken',
  'plugin_not_deployed', 'plugin_not_pushed', 'proposal_already_applied', 'same_password', 'session_busy',
  // Findings of preflight
  'existing_records_missing_identity_property', 'enrich_properties_gap', 'connector_has_no_credential', 'candidate_credential_unusable',
  'preflight_candidate_credential', 'crm_scopes_not_checked', 'object_type_missing_scopes', 'attachment_missing_scopes',
  'submit_form_missing_forms_scope', 'object_type_scopes_not_checked', 'association_definition_missing', 'unknown_association_type_id',
  'ambiguous_association_type_id', 'association_category_mismatch', 'associate_replace_without_items',
  'delete_rest_identity_source_path_unresolvable', 'plugin_step_tier_not_allowed', 'plugin_auth_grant_unknown_source',
  'typed_step_field_wrong_action', 'unknown_step_key', 'unknown_flow_keys', 'unsupported_event_type_wildcard', 'overlapping_event_type_wildcards',
  'journal_offset_expired', 'credential_not_crm_oauth',
  // Reasons and codes of records
  'expression_limit', 'crashed_runner', 'flow_disabled', 'superseded', 'echo_suppressed', 'hop_limit', 'held_expired', 'expired',
  'no_identity_mapping', 'already_absent', 'export_failed', 'scope_not_found',
  // Answers of a dry run
  'not_verifiable', 'not_executed', 'not_executed_reason', 'stubbed_external_response', 'simulated_identity', 'simulated_identity_note',
  'simulated_existing_record',
];

/** States, by what has them. */
export const states = {
  connector: ['active', 'paused', 'error'],
  'write cap': ['armed', 'tripped', 'releasing', 'settling', 'released'],
  breaker: ['closed', 'open', 'half_open'],
  'why a breaker opened': ['fatal_streak', 'transient_exhausted_streak', 'failure_rate', 'manual'],
  health: ['healthy', 'degraded', 'error'],
  event: ['processing', 'pending', 'completed', 'skipped', 'partial_failure', 'failed', 'drained', 'delayed'],
  record: ['completed', 'skipped', 'failed', 'parked', 'partial_success', 'dlq', 'quarantined'],
  plugin: ['draft', 'dev', 'promoting_to_staging', 'staging', 'promoting_to_live', 'live', 'error'],
  'lifecycle hook': ['pending', 'success', 'failed'],
  'data export': ['queued', 'running', 'completed', 'failed', 'expired'],
  'compat call': ['InQueue', 'InProgress', 'Error', 'Complete'],
  backlog: ['empty', 'flowing', 'congested', 'stalled'],
  'bulk import': ['queued', 'running', 'held', 'completed', 'completed_with_errors', 'cancelled', 'failed'],
  verification: ['matched', 'mismatched', 'missing', 'not_verifiable'],
  replay: ['queued', 'running', 'completed', 'cancelled', 'failed'],
  file: ['received', 'processing', 'completed', 'failed'],
  organization: ['active', 'suspended', 'closing', 'closed'],
  plan: ['free', 'starter', 'pro', 'scale', 'trial', 'enterprise'],
  adoption: ['adopted', 'already_mapped', 'not_found', 'ambiguous', 'identity_conflict'],
};

/** Limits, in the words that a rule has for them: a number with its unit, or the setting that holds it. */
export const limits = [
  '1 MiB', '10 MiB', '5 MiB', '20 MiB', '2 GiB', '50 requests', '10, 100, 25, 50, 100, 100', '200 entities', '256 characters', '1 to 255 characters',
  '10 to 128 characters', '1 to 128 characters', '8 to 512 characters', '`limit` (50, max 200)', '50 MB', '20 fetches of 1 MiB', '10 in 24 hours',
  '10 new sessions', '25 tool calls', '2,000 most recent', '20 records', 'max 100', '20 failed authentications', 'Ten sign-ups',
  ...[
    'RETRY_WAITS', 'RETRY_CEILING', 'ATTEMPTS', 'BREAKER_WAITS', 'BREAKER_CHECK', 'BREAKER_HEALTHY_RESET', 'JOURNAL_POLL', 'WORKER_TICK', 'WRITE_CAP',
    'EXPORT_RETRY_WAITS', 'STUCK_AFTER', 'EVENT_TTL', 'HELD_ROW_TTL', 'SESSION_TTL', 'COMPAT_RETENTION', 'HOOK_RETRY_WAITS', 'PLATFORM_RETRY_WAITS',
    'SEARCH_LAG', 'COMPAT_STUCK_AFTER', 'BACKLOG_CONGESTED', 'BACKLOG_STALLED', 'CAP_SETTLING', 'HISTORY_RETENTION', 'PAYLOAD_RETENTION', 'TOKEN_TTL',
    'INVITATION_TTL', 'CODE_LOCK', 'MFA_TOKEN_TTL', 'TRIAL_LENGTH', 'CLOSE_RECOVERY', 'INSTALL_TTL', 'EXPORT_TTL', 'EXPORT_LINK_TTL', 'RATE_LIMIT_SCALE',
  ].map((name) => `SLUICE_${name}`),
];

/** Settings that switch something on or choose between two. */
export const settings = [
  'SLUICE_PORT', 'SLUICE_DATA_DIR', 'SLUICE_CRM_SIMULATOR_PORT', 'SLUICE_OPERATOR_TOKEN', 'SLUICE_ENCRYPTION_KEYS', 'SLUICE_PUBLIC_URL',
  'SLUICE_ALLOW_PRIVATE_TARGETS', 'SLUICE_FILE_ROOT', 'SLUICE_SMTP_URL', 'SLUICE_MAIL_FROM', 'SLUICE_OIDC_ISSUER', 'SLUICE_BILLING',
  'SLUICE_METRICS_PORT', 'SLUICE_FUNCTIONS', 'SLUICE_ASSISTANT_PROVIDER', 'SLUICE_ASSISTANT_API_KEY', 'SLUICE_ASSISTANT_TOKENS_PER_MONTH',
];
