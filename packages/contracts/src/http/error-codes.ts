import { accountErrorCodes } from './account-error-codes';
import type { ErrorCodeEntry } from './error-code-entry';

export type { ErrorCodeEntry } from './error-code-entry';

/** Every error code of the API. */
export const errorCodes = {
  ...accountErrorCodes,
  // 400
  'Malformed JSON': { status: 400, shape: 'text', meaning: 'The body is not JSON.' },
  'Malformed form': { status: 400, shape: 'text', meaning: 'The body is not `multipart/form-data`, or ends too early.' },
  'Empty body': { status: 400, shape: 'text', meaning: 'The call has no body.' },
  'Bad Request': { status: 400, shape: 'text', meaning: 'The request could not be read as HTTP.' },
  invalid_credential: { status: 400, shape: 'error', meaning: 'The credential is not one of the CRM in this organization.' },
  source_takes_no_files: { status: 400, shape: 'error', meaning: 'Only a source of type file takes files.' },
  no_crm_source: { status: 400, shape: 'error', meaning: 'Only a crm source has a place in the journal.' },
  source_not_read: { status: 400, shape: 'error', meaning: 'Nothing reads a source of this type by time.' },
  source_disabled: { status: 409, shape: 'error', meaning: 'The source is switched off.' },
  no_webhook_source: { status: 400, shape: 'error', meaning: 'Only a webhook source has a secret.' },
  publish_review_required: {
    status: 400,
    shape: 'code',
    meaning: 'The publish would create something in the CRM, or send a credential to a new host, and needs a review.',
  },
  // 401
  'Missing x-api-key header': { status: 401, shape: 'text', meaning: 'The event plane needs a connector key.' },
  'Invalid or revoked API key': {
    status: 401,
    shape: 'text',
    meaning: 'The connector key is unknown, revoked, or not one of a connector.',
  },
  'Not authenticated': { status: 401, shape: 'text', meaning: 'The Authorization header is missing or not a Bearer token.' },
  'Invalid token': { status: 401, shape: 'text', meaning: 'The token is unknown, expired or revoked.' },
  'Invalid token claims': { status: 401, shape: 'text', meaning: 'The claims of the token are invalid.' },
  'Token missing required claims': { status: 401, shape: 'text', meaning: 'The token lacks claims.' },
  'Invalid signature': { status: 401, shape: 'text', meaning: 'The signature of a webhook is wrong or missing.' },
  // 402
  connector_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more connectors.' },
  event_source_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more event sources.' },
  flow_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more flows in a config.' },
  step_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more steps in a config.' },
  api_key_limit_reached: { status: 402, shape: 'error', meaning: 'There are as many usable keys as the plan allows.' },
  portal_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more CRM portals.' },
  custom_objects_not_allowed: { status: 402, shape: 'error', meaning: 'The plan has no custom object types.' },
  custom_object_type_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more custom object types.' },
  agent_session_daily_limit_reached: { status: 402, shape: 'error', meaning: 'No more assistant sessions today.' },
  plugin_system_not_allowed: { status: 402, shape: 'error', meaning: 'The plan has no plugins.' },
  sla_monitoring_not_available: { status: 402, shape: 'error', meaning: 'The plan has no SLA reporting.' },
  // 403
  owner_required: { status: 403, shape: 'error', meaning: 'Only a signed-in owner may do this.' },
  user_auth_required: { status: 403, shape: 'error', meaning: 'Only a signed-in user may do this.' },
  api_key_cannot_create_test_connector: {
    status: 403,
    shape: 'error',
    meaning: 'An organization key cannot create test connectors.',
  },
  assistant_switched_off: { status: 403, shape: 'code', meaning: 'The organization has switched the assistant off.' },
  link_invalid: { status: 403, shape: 'error', meaning: 'The link was changed, or is not one of ours.' },
  // 404, 405
  'Not Found': { status: 404, shape: 'text', meaning: 'It does not exist, or belongs to another organization.' },
  connector_not_found: { status: 404, shape: 'error', meaning: 'No such connector in the organization.' },
  plugin_not_found: { status: 404, shape: 'error', meaning: 'No such plugin in the organization.' },
  'Credential not found': { status: 404, shape: 'text', meaning: 'No such credential in the organization.' },
  'Method Not Allowed': { status: 405, shape: 'text', meaning: 'The path has other methods: see Allow.' },
  // 408
  'Request Timeout': { status: 408, shape: 'text', meaning: 'The request did not arrive in time.' },
  // 409
  connector_width_change_pending: {
    status: 409,
    shape: 'error',
    meaning: 'The last raise of the width has not begun yet; the answer has `effective_at`.',
  },
  data_export_in_progress: {
    status: 409,
    shape: 'error',
    meaning: 'An export of the scope is under way; the answer has `export_id`.',
  },
  organization_closed: { status: 409, shape: 'error', meaning: 'The organization is closed: it can be read, not changed.' },
  data_export_not_ready: { status: 409, shape: 'error', meaning: 'The export is not ready.' },
  rebind_confirmation_required: { status: 409, shape: 'error', meaning: 'Binding to another portal must be confirmed.' },
  write_cap_release_required: { status: 409, shape: 'error', meaning: 'The first-sync write cap must be released.' },
  write_cap_resume_in_progress: { status: 409, shape: 'error', meaning: 'The release of the write cap is settling.' },
  write_cap_not_tripped: { status: 409, shape: 'error', meaning: 'The write cap has not been reached.' },
  event_source_delete_confirmation_required: {
    status: 409,
    shape: 'error',
    meaning: 'Deleting over the limit must be confirmed.',
  },
  source_name_taken: { status: 409, shape: 'error', meaning: 'The draft has a source of this name.' },
  source_in_use: { status: 409, shape: 'error', meaning: 'Flows of the draft name the source; the answer has `flows`.' },
  duplicate_compat_key: { status: 409, shape: 'error', meaning: 'A compat key with this value exists.' },
  binding_changed: { status: 409, shape: 'error', meaning: 'The connector was bound to another portal meanwhile: try again.' },
  credential_name_taken: { status: 409, shape: 'error', meaning: 'A credential of the organization has this name.' },
  plugin_name_taken: { status: 409, shape: 'error', meaning: 'A plugin of the organization has this name.' },
  plugin_in_use: {
    status: 409,
    shape: 'error',
    meaning: 'Active versions use the plugin; the answer has their `connectors`.',
  },
  plugin_not_pushed: { status: 409, shape: 'error', meaning: 'No code of the plugin was pushed yet.' },
  plugin_not_deployed: { status: 409, shape: 'error', meaning: 'There is no function to run: push or promote the plugin.' },
  credential_portal_mismatch: {
    status: 409,
    shape: 'error',
    meaning: 'The token belongs to another portal than the credential.',
  },
  connector_not_published: { status: 409, shape: 'error', meaning: 'The connector has no published version.' },
  job_ended: { status: 409, shape: 'error', meaning: 'The job has ended; the answer has its `status`.' },
  job_running: { status: 409, shape: 'error', meaning: 'The job is still running.' },
  nothing_to_retry: { status: 409, shape: 'error', meaning: 'No row of the import failed in a way that may be tried again.' },
  nothing_to_repair: { status: 409, shape: 'error', meaning: 'The verification found no record that differs.' },
  not_replayable: { status: 409, shape: 'error', meaning: 'The record cannot be replayed in its status.' },
  force_required: { status: 409, shape: 'error', meaning: 'A quarantined record is replayed with force only.' },
  draft_version_conflict: { status: 409, shape: 'code', meaning: 'The draft has changed since `expected_version`.' },
  session_busy: { status: 409, shape: 'code', meaning: 'The assistant is still at work in this session.' },
  proposal_already_applied: { status: 409, shape: 'code', meaning: 'The proposal is in the draft already.' },
  proposal_changed: { status: 409, shape: 'code', meaning: 'The proposal is not the one whose `hash` was sent.' },
  stale_base_version: { status: 409, shape: 'code', meaning: 'A version was published since the draft was based.' },
  publish_review_outdated: {
    status: 409, word: 'publish_review_required', shape: 'code', meaning: 'What was reviewed is another version of the draft.',
  },
  // 410
  endpoint_removed: { status: 410, shape: 'error', meaning: 'A path of an earlier release; `replacement` names today\'s.' },
  link_expired: { status: 410, shape: 'error', meaning: 'The time of the link is over: ask for a new one.' },
  data_export_expired: { status: 410, shape: 'error', meaning: 'The package of the export is gone.' },
  data_export_failed: { status: 410, shape: 'error', meaning: 'The export failed.' },
  webhook_source_disabled: { status: 410, shape: 'error', meaning: 'The source is switched off and takes no calls.' },
  // 413
  payload_too_large: { status: 413, shape: 'error', meaning: 'The body is over `limit_bytes`.' },
  // 415, 416, 417
  'Unsupported content type': {
    status: 415,
    shape: 'text',
    meaning: 'The content type of the body is none that the route takes.',
  },
  'Unsupported content encoding': {
    status: 415,
    shape: 'text',
    meaning: 'The content coding of the body is none of identity, gzip, deflate and br.',
  },
  'Range Not Satisfiable': {
    status: 416,
    shape: 'text',
    meaning: 'The range begins behind the end, or there are several; `Content-Range` has the size.',
  },
  'Expectation Failed': { status: 417, shape: 'text', meaning: 'The Expect header asks for something else than 100-continue.' },
  // 422
  config_too_complex: { status: 422, shape: 'error', meaning: 'What the request asks for (a check, a dry run, a comparison) takes longer or more memory than it may.' },
  secret_not_declarable: {
    status: 422,
    shape: 'entry',
    meaning: 'A secret cannot be written into the config; `loc` is its path.',
  },
  private_target: {
    status: 422,
    shape: 'entry',
    meaning: 'The URL leads to a private or loopback address, which this installation does not call.',
  },
  plugin_capability_violation: { status: 422, shape: 'error', meaning: 'The plugin uses what it did not declare.' },
  credential_not_crm_oauth: { status: 422, shape: 'error', meaning: 'The credential is not one of the CRM.' },
  provisioning_failed: {
    status: 422,
    shape: 'code',
    meaning: 'Something that the config needs could not be created on the portal; `errors[]` and `provisioned[]` list it.',
  },
  crm_portal_not_bound: {
    status: 422,
    shape: 'code',
    meaning: 'The connector is bound to no portal, and not exactly one portal is connected.',
  },
  crm_object_type_unknown: { status: 422, shape: 'error', meaning: 'The portal refuses the object type; `message` says why.' },
  crm_token_refused: { status: 422, shape: 'entry', meaning: 'The CRM refuses the token.' },
  // 423
  'Connector is paused, ingestion is blocked': { status: 423, shape: 'text', meaning: 'The connector is paused.' },
  org_suspended: { status: 423, shape: 'error', meaning: 'The organization is suspended.' },
  org_closing: { status: 423, shape: 'error', meaning: 'The organization is closing.' },
  // 429
  'Rate limit exceeded for org': { status: 429, shape: 'text', meaning: 'Over the requests per second; see Retry-After.' },
  quota_exceeded: { status: 429, shape: 'error', meaning: 'The events of the month are used up.' },
  connector_flow_breaker_open: {
    status: 429,
    shape: 'error',
    meaning: 'Every flow the request reaches is paused: resend after Retry-After.',
  },
  assistant_token_limit_reached: {
    status: 429, shape: 'code', meaning: 'The tokens of the month are used up; see Retry-After.',
  },
  data_export_limit_reached: { status: 429, shape: 'error', meaning: 'Over 10 exports in 24 hours.' },
  // 431
  'Request Header Fields Too Large': { status: 431, shape: 'text', meaning: 'The headers are over 16 KiB.' },
  // 5xx
  internal_error: { status: 500, shape: 'text', meaning: 'Unexpected; the answer has `request_id`.' },
  event_ingestion_outcome_unknown: {
    status: 502,
    shape: 'error',
    meaning: 'The event may have been accepted: resend with the same Idempotency-Key.',
  },
  crm_unavailable: { status: 502, shape: 'error', meaning: 'The CRM failed or gave an unexpected answer: try again.' },
  rebind_failed: { status: 502, shape: 'error', meaning: 'The identity mappings could not be purged: nothing has changed.' },
  event_ingestion_unavailable: { status: 503, shape: 'error', meaning: 'Nothing was queued: retry with backoff.' },
  attachment_store_unavailable: {
    status: 503,
    shape: 'error',
    meaning: 'Large payloads cannot be stored now: retry with backoff.',
  },
  data_export_unavailable: { status: 503, shape: 'error', meaning: 'Exports are not available now.' },
  assistant_unavailable: { status: 503, shape: 'code', meaning: 'This installation has no assistant.' },
  credential_refresh_busy: { status: 503, shape: 'error', meaning: 'The credential is being refreshed: see Retry-After.' },
  too_many_streams: {
    status: 503,
    shape: 'error',
    meaning: 'As many uploads, downloads and event streams are under way as one instance, or one caller, may have: retry.',
  },
  service_unavailable: { status: 503, shape: 'error', meaning: 'A part that the request needs cannot be reached now: retry.' },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** The code as answers carry it. */
export function errorWord(code: ErrorCode): string {
  const { word }: ErrorCodeEntry = errorCodes[code];
  return word ?? code;
}

/** The `detail` of an answer with this code, with the fields that belong to it. A text code cannot carry fields. */
export function errorDetail(code: ErrorCode, fields: Record<string, unknown> = {}): unknown {
  const { shape, meaning }: ErrorCodeEntry = errorCodes[code];
  const word = errorWord(code);
  if (shape === 'entry') return [{ type: word, loc: ['body'], msg: meaning, input: null, ...fields }];
  return shape === 'text' ? word : { [shape]: word, ...fields };
}
