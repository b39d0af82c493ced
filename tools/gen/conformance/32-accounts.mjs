/** Accounts: addresses, passwords, sessions, two-factor and third-party sign-in, mails. Login, refresh and sign-up are in 2-routes.mjs. */
const features = 'services/config-api/src/features';

const tests = {
  addresses: `${features}/account-security/email-change.integration.test.ts`,
  passwords: `${features}/account-security/passwords.integration.test.ts`,
  sessions: `${features}/account-security/sessions.integration.test.ts`,
  'same-site': `${features}/accounts/same-site.integration.test.ts`,
  'mails sent': 'services/config-api/src/mails/sending.integration.test.ts',
  words: `${features}/accounts/common-password.test.ts`,
  organizations: `${features}/organizations/organizations.integration.test.ts`,
  'second factor': `${features}/second-factor/second-factor.integration.test.ts`,
  'config store, second factors': 'packages/ports/src/testing/config-store-second-factor-tests.ts',
  verification: `${features}/accounts/verification.integration.test.ts`,
};

export const part = {
  tests,
  sections: [
    {
      title: 'Accounts',
      rules: [
        ['`PATCH /api/me` `{name}` answers the user', 'organizations may sign in, see himself and make one; everything else is refused'],
        ['`PUT /api/me/active-organization`: a new token; 403 `not_a_member` for any other organization; a refresh goes on there', 'organizations becomes active with a new token, and stays so after a refresh'],
        ['`POST /api/me/password`: 401 `wrong_password`, 400 `same_password`, `password_too_short`, `password_too_common`; ends the other sessions', 'passwords needs the present one, and another that is good'],
        ['`POST /api/me/email`, `POST /api/me/email/confirm` with token or code: 400 `same_email`, `no_pending_change`, `token_invalid`, `code_invalid`, `code_expired`; 409 `email_taken`; 429 `code_attempts_exhausted` after five wrong codes', 'addresses five wrong codes end the code, not the link'],
        ['`GET /api/me/sessions`, `DELETE /api/me/sessions/{session_id}`: the access token is refused at once', 'sessions a session that is revoked is refused at once, with its access token and its refresh token'],
        ['`DELETE /api/me`: 409 `last_owner` with `organizations[]`; afterwards `Invalid credentials`, the address is free, a used trial stays used', 'sessions needs the password, and another owner of each organization that stays'],
        ['`POST /api/auth/verify-email`: 400 `token_invalid`, `token_expired`, `token_consumed`', 'verification the token is good once, until it expires, and for its purpose only'],
        ['`POST /api/auth/resend-verification`: always 202; at most 5 mails of a kind per address and hour', 'verification the mail is sent again to unverified addresses, at most five an hour, and the answer is always the same'],
        ['`POST /api/auth/password-reset`: always 202; `POST /api/auth/password-reset/confirm` ends every session; a newer token ends the older ones', 'passwords a newer link ends the older ones; a link expires, and is of no use for anything else'],
        ['Tokens of mails: 24 h (`SLUICE_TOKEN_TTL`), once, for their purpose only, stored as hashes', 'passwords a newer link ends the older ones; a link expires, and is of no use for anything else'],
        ['Passwords: 10 to 128 characters wherever one is chosen', 'passwords needs the present one, and another that is good'],
        ['403 `email_not_verified` with `resend_url` for creating keys, publishing and inviting', 'verification an unverified owner may look; keys, publishing and inviting need a verified address'],
        ['401 `account_deactivated`: an operator closes an account with `PATCH /operator/users/{user_id}`, and finds it with `GET /operator/users`', 'sessions an operator finds it by its address, closes it and opens it again'],
        ['401 `User not found` after the account was deleted', 'sessions needs the password, and another owner of each organization that stays'],
        ['401 `Token missing required claims`, `Invalid token claims`', 'sessions must be complete, well formed, and agree with the session'],
        ['A second change of address replaces the first; another account cannot confirm it; exactly one of token and code', 'addresses a second request replaces the first'],
        ['`email_taken` again at the confirmation; the old address is told', 'addresses an address that was taken since is refused at the confirmation'],
        ['`/api/auth/*` takes bodies as `application/json` only (415 `Unsupported content type`)', 'same-site a body that a form could send is refused, an empty one is not'],
        ['`/api/auth/*` refuses other sites, by `Origin` and `Sec-Fetch-Site` (403 `CSRF validation failed`)', 'same-site a page of another site signs nobody in or out'],
        ['The CSRF token belongs to one session', 'sessions the CSRF token of one session is none for another'],
        ['Sessions end after 90 days (`SLUICE_SESSION_LIFETIME`), however often they are refreshed', 'sessions 90 days after they began, however often they were refreshed'],
        ['Passwords that contain the address, the name of the organization or of the product are refused', 'words short names are in every password'],
        ['403 `verification_tab_required` where the link of one account is opened with the session of another', 'verification a link that is opened where another account is signed in verifies nothing'],
      ],
    },
    {
      title: 'Two-factor sign-in',
      rules: [
        ['`POST /api/me/mfa/enroll`: `{secret, otpauth_url, qr_svg}`; 409 `mfa_already_enabled`, `enrollment_already_in_progress`', 'second factor shows the secret once, as text, URL and image; a code switches it on'],
        ['`POST /api/me/mfa/confirm`: ten recovery codes; 400 `no_pending_enrollment`; 401 `invalid_code`', 'second factor an enrollment that was not confirmed in ten minutes is over, and can be begun again'],
        ['`POST /api/me/mfa/disable` and `POST /api/me/mfa/recovery-codes`: password and code; 400 `mfa_not_enabled`', 'second factor need the password and a code'],
        ['Login: `{mfa_required: true, mfa_token}`, then `POST /api/auth/login/mfa` within `SLUICE_MFA_TOKEN_TTL` (5 minutes); no cookie before the second step', 'second factor asks for a code: no token and no cookie before the second step'],
        ['401 `invalid_mfa_token`, `invalid_mfa_code`; a code is taken once', 'second factor a code is taken once, the token too'],
        ['429 `code_locked` with `Retry-After` after five wrong codes, for `SLUICE_CODE_LOCK` (15 minutes)', 'second factor five wrong codes, of whatever route and token, lock the codes; the password alone opens nothing'],
        ['Of two requests with one code at the same moment one wins', 'config store, second factors takes the code of a step once, whatever it was for, also by two at the same moment'],
        ['A reset of the password leaves it on', 'second factor a reset of the password does not switch it off; an operator closes the account for the second step too'],
      ],
    },
    {
      title: 'Third-party sign-in',
      rules: [
        ['`GET /api/auth/oidc/start`: 302 with state, nonce and S256 challenge; 404 `oidc_not_configured` without an issuer (`SLUICE_OIDC_ISSUER`)', null],
        ['`GET /api/auth/oidc/callback`: 302 without a token in the address; refresh and CSRF cookies', null],
        ['400 `oidc_state_invalid`, 401 `oidc_token_invalid`, 401 `oidc_denied`, 403 `email_not_verified`, 502 `oidc_unavailable`; no cookie', null],
        ['By issuer and subject first, else by the verified address of a verified account, else a new account', null],
        ['With a second factor: 302 with `#mfa_token=`; 401 `google_mfa_expired` when it is too late', null],
      ],
    },
    {
      title: 'Mails',
      rules: [
        ['`SLUICE_SMTP_URL`, `SLUICE_MAIL_FROM`: mails are sent, and tried again for 24 hours; the request never fails for it', 'mails sent while the server is away requests succeed as ever, and mails arrive once it is back'],
        ['A mail is neither lost nor, but for what was under way, sent twice by a kill -9', 'mails sent however often the process that sends is killed, every mail arrives; twice only what was under way'],
        ['Without them `GET /operator/outbox` has what would have been sent', 'verification an entry of the outbox ends with its link'],
        ['Links start with `SLUICE_PUBLIC_URL` whatever the request says', 'verification the mail cannot be read in the database, and its link begins with the public address'],
      ],
    },
  ],
};
