import type { ErrorCodeEntry } from './error-code-entry';

/** The codes of accounts, members, sign-in, billing and the CRM install. */
export const accountErrorCodes = {
  // 400
  token_invalid: { status: 400, shape: 'error', meaning: 'The link or token is not known, or is one for another purpose.' },
  token_expired: { status: 400, shape: 'error', meaning: 'The link or token has expired.' },
  token_consumed: { status: 400, shape: 'error', meaning: 'The link or token was used before.' },
  code_invalid: { status: 400, shape: 'error', meaning: 'The verification code is wrong.' },
  code_expired: { status: 400, shape: 'error', meaning: 'The verification code has expired.' },
  password_too_short: { status: 400, shape: 'error', meaning: 'A password has 10 to 128 characters.' },
  password_too_common: {
    status: 400,
    shape: 'error',
    meaning: 'The password is one of the most common ones, made of blanks, or made of the address, the organization or `sluice`.',
  },
  same_password: { status: 400, shape: 'error', meaning: 'The new password is the present one.' },
  same_email: { status: 400, shape: 'error', meaning: 'The new email address is the present one.' },
  no_pending_change: { status: 400, shape: 'error', meaning: 'There is no change to confirm.' },
  no_pending_enrollment: { status: 400, shape: 'error', meaning: 'There is no enrollment to confirm.' },
  oidc_state_invalid: {
    status: 400,
    shape: 'error',
    meaning: 'The sign-in was not begun in this browser, is over, or took too long: begin again.',
  },
  crm_install_failed: { status: 400, shape: 'error', meaning: 'The CRM refuses the install, or somebody declined it.' },
  mfa_not_enabled: { status: 400, shape: 'error', meaning: 'A second factor is not enabled.' },
  // 401
  'User not found': { status: 401, shape: 'text', meaning: 'The user of the token does not exist any more.' },
  'Invalid credentials': { status: 401, shape: 'text', meaning: 'Email or password is wrong.' },
  'No refresh token': { status: 401, shape: 'text', meaning: 'The refresh cookie is missing: log in again.' },
  'Invalid refresh token': { status: 401, shape: 'text', meaning: 'The refresh token is unknown or expired: log in again.' },
  'Token reuse detected': {
    status: 401,
    shape: 'text',
    meaning: 'A used refresh token came back: all sessions of the user have ended.',
  },
  account_deactivated: { status: 401, shape: 'error', meaning: 'The account is deactivated.' },
  invalid_mfa_token: { status: 401, shape: 'error', meaning: 'The second step of the login is unknown or expired.' },
  invalid_mfa_code: { status: 401, shape: 'error', meaning: 'The code of the second factor is wrong, or was used before.' },
  google_mfa_expired: { status: 401, shape: 'error', meaning: 'The second step of a third-party sign-in has expired.' },
  invalid_code: { status: 401, shape: 'error', meaning: 'The code of the second factor is wrong, or was used before.' },
  oidc_token_invalid: { status: 401, shape: 'error', meaning: 'What the issuer answered is not valid for this sign-in.' },
  oidc_denied: { status: 401, shape: 'error', meaning: 'The issuer has not signed the person in.' },
  wrong_password: { status: 401, shape: 'error', meaning: 'The present password is wrong.' },
  // 402
  seat_limit_reached: { status: 402, shape: 'error', meaning: 'The plan allows no more members; open invitations count.' },
  // 403
  user_session_required: { status: 403, shape: 'error', meaning: 'Only a user session may do this.' },
  api_key_cannot_create_org: { status: 403, shape: 'error', meaning: 'An organization key cannot create organizations.' },
  wrong_active_org: { status: 403, shape: 'error', meaning: 'Another organization is active.' },
  not_a_member: { status: 403, shape: 'error', meaning: 'The user is not a member of the organization.' },
  no_active_organization: { status: 403, shape: 'error', meaning: 'The user is a member of no organization.' },
  email_not_verified: { status: 403, shape: 'error', meaning: 'The email address is not verified; the answer has `resend_url`.' },
  verification_tab_required: {
    status: 403,
    shape: 'error',
    meaning: 'The session belongs to another account than the link: open it where its account is signed in, or signed out.',
  },
  invitation_for_other_account: {
    status: 403,
    shape: 'error',
    meaning: 'The invitation is for another address than that of the signed-in account.',
  },
  'CSRF validation failed': {
    status: 403,
    shape: 'text',
    meaning: 'The X-CSRF-Token header does not match its cookie and session, or the request comes from another site.',
  },
  // 404
  oidc_not_configured: { status: 404, shape: 'error', meaning: 'The installation has no third-party sign-in.' },
  install_not_found: { status: 404, shape: 'error', meaning: 'No such install.' },
  invitation_not_found: { status: 404, shape: 'error', meaning: 'No such invitation.' },
  // 409
  email_already_registered: { status: 409, shape: 'error', meaning: 'The email address has an account.' },
  email_taken: { status: 409, shape: 'error', meaning: 'The email address belongs to another account.' },
  mfa_already_enabled: { status: 409, shape: 'error', meaning: 'A second factor is enabled.' },
  enrollment_already_in_progress: { status: 409, shape: 'error', meaning: 'An enrollment is under way.' },
  last_owner: { status: 409, shape: 'error', meaning: 'An organization needs an owner.' },
  already_member: { status: 409, shape: 'error', meaning: 'The address is that of a member.' },
  already_on_plan: { status: 409, shape: 'error', meaning: 'The organization has this plan and interval.' },
  order_not_paid: { status: 409, shape: 'error', meaning: 'The order is not paid yet.' },
  organization_closing: { status: 409, word: 'org_closing', shape: 'error', meaning: 'The organization is closing.' },
  organization_not_closing: { status: 409, shape: 'error', meaning: 'The organization is not closing.' },
  // 410
  install_consumed: { status: 410, shape: 'error', meaning: 'The install was attached before.' },
  install_expired: { status: 410, shape: 'error', meaning: 'The install has expired: install the app again.' },
  invitation_revoked: { status: 410, shape: 'error', meaning: 'The invitation was revoked or replaced by a newer one.' },
  invitation_expired: { status: 410, shape: 'error', meaning: 'The invitation has expired.' },
  invitation_accepted: { status: 410, shape: 'error', meaning: 'The invitation was accepted before.' },
  // 429
  code_locked: { status: 429, shape: 'error', meaning: 'Too many wrong codes: no code is taken until Retry-After has passed.' },
  code_attempts_exhausted: { status: 429, shape: 'error', meaning: 'Too many wrong codes: use the link, or ask for a new code.' },
  signup_limit_reached: { status: 429, shape: 'error', meaning: 'Too many sign-ups from this address; see Retry-After.' },
  too_many_attempts: {
    status: 429,
    shape: 'error',
    meaning: 'Too many wrong sign-ins from this address: try again after Retry-After.',
  },
  // 502
  oidc_unavailable: { status: 502, shape: 'error', meaning: 'The issuer does not answer.' },
  billing_unavailable: { status: 502, shape: 'error', meaning: 'The billing provider does not answer; nothing changed.' },
} as const satisfies Record<string, ErrorCodeEntry>;
