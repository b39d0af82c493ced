/** Ways to break passwords, addresses and sessions that a test must notice. */
const store = 'packages/adapters/store-postgres/src/config';
const api = 'services/config-api/src';
const suite = { project: 'integration', pattern: 'store-postgres/src/config/config-store' };
const passwords = { project: 'integration', pattern: 'config-api/src/features/account-security/passwords' };
const addresses = { project: 'integration', pattern: 'config-api/src/features/account-security/email-change' };
const sessions = { project: 'integration', pattern: 'config-api/src/features/account-security/sessions' };
const sameSite = { project: 'integration', pattern: 'config-api/src/features/accounts/same-site' };

export default [
  {
    name: 'accounts: a token is good for another purpose',
    file: `${store}/accounts/mail-tokens.ts`,
    find: ' AND t.purpose = ${purpose} FOR UPDATE OF t`',
    replace: ' AND ${purpose} <> \'\' FOR UPDATE OF t`',
    notice: suite,
  },
  {
    name: 'accounts: the hash of a token is the same for every purpose',
    file: `${api}/mails/mail-token.ts`,
    find: 'sha256Hex(`${purpose}:${token}`)',
    replace: 'sha256Hex(`${purpose.slice(0, 0)}${token}`)',
    notice: { project: 'unit', pattern: 'config-api/src/mails/mail-token' },
  },
  {
    name: 'accounts: an older link resets the password too',
    file: `${store}/accounts/mail-token-store.ts`,
    find: 'await tx.mailToken.deleteMany({ where: older });',
    replace: 'void older;',
    notice: suite,
  },
  {
    name: 'accounts: a refused password uses the link up',
    file: `${api}/features/account-security/post-auth-password-reset-confirm.ts`,
    find: 'const found = await store.mailTokens.findReset(hash);',
    replace: 'const found = await store.mailTokens.findReset(hash);\n'
      + "      if (found.ok) await store.mailTokens.reset({ tokenHash: hash, passwordHash: '', trialKeysOf: trialKeys });",
    notice: passwords,
  },
  {
    name: 'accounts: the other sessions outlive the password',
    file: `${store}/accounts/set-password.ts`,
    find: "await endSessionsOf(tx, userId, 'password', but);",
    replace: 'void [endSessionsOf, but];',
    notice: suite,
  },
  {
    name: 'accounts: the present password is a new one',
    file: `${api}/features/account-security/assert-new-password.ts`,
    find: 'if (await passwords.isSame(password, presentHash, address))',
    replace: 'if ((await passwords.isSame(password, presentHash, address)) && password === address)',
    notice: passwords,
  },
  {
    name: 'accounts: wrong codes of a new address are not counted',
    file: `${store}/accounts/email-change.ts`,
    find: 'SET attempts = attempts + 1',
    replace: 'SET attempts = attempts',
    notice: suite,
  },
  {
    name: 'accounts: five wrong codes end the link too',
    file: `${store}/accounts/email-change.ts`,
    find: "return isExpired ? { ok: false, reason: 'token_expired' } : null;",
    replace: "return isExpired || pending.attempts > 4 ? { ok: false, reason: 'token_expired' } : null;",
    notice: suite,
  },
  {
    name: 'accounts: another account confirms the new address',
    file: `${store}/accounts/email-change.ts`,
    find: "WHERE t.user_id = ${userId}::uuid AND t.purpose = 'change_email'",
    replace: "WHERE ${userId} <> '' AND t.purpose = 'change_email'",
    notice: suite,
  },
  {
    name: 'accounts: the new address is not asked for the password',
    file: `${api}/features/account-security/post-me-email.ts`,
    find: 'await assertOwnPassword(deps, principal, { address, password: body.password });',
    replace: 'void assertOwnPassword(deps, principal, { address, password: body.password }).catch(() => undefined);',
    notice: addresses,
  },
  {
    name: 'accounts: anybody ends a session by its id',
    file: `${store}/accounts/session-methods.ts`,
    find: '{ id: asId(sessionId), user_id: asId(userId) }',
    replace: "{ id: asId(sessionId), user_id: { not: asId('') } }",
    notice: suite,
  },
  {
    name: 'accounts: a session lives as long as it is refreshed',
    file: `${store}/accounts/sessions.ts`,
    find: 'endedAt !== null || endsAt <= now)',
    replace: 'endedAt !== null)',
    notice: suite,
  },
  {
    name: 'accounts: the last owner deletes himself',
    file: `${store}/accounts/delete-account.ts`,
    find: 'if (organizations.length > 0) return',
    replace: 'if (organizations.length > 99) return',
    notice: suite,
  },
  {
    name: 'accounts: two owners delete themselves at once',
    file: `${store}/accounts/delete-account.ts`,
    find: 'for (const { organization_id } of mine) await lockOrganization(tx, organization_id);',
    replace: 'for (const { organization_id } of mine) void [lockOrganization, organization_id];',
    notice: suite,
  },
  {
    name: 'accounts: a closed account signs in',
    file: `${api}/auth/create-authenticate.ts`,
    find: "if (actor.account.deactivated) throw apiError('account_deactivated', {}, challenge);",
    replace: '',
    notice: sessions,
  },
  {
    name: 'accounts: the CSRF token of any session is good',
    file: `${api}/features/accounts/tokens/csrf-tokens.ts`,
    find: 'sameText(by(secret, sessionId), token)',
    replace: 'by(secret, sessionId).length === token.length',
    notice: sessions,
  },
  {
    name: 'accounts: pages of other sites sign people in',
    file: `${api}/http/with-same-site.ts`,
    find: "if (isCrossSite(request, publicUrl())) throw apiError('CSRF validation failed');",
    replace: '',
    notice: sameSite,
  },
  {
    name: 'accounts: a form signs people in',
    file: `${api}/http/with-same-site.ts`,
    find: "if (hasBody(request) && !isJson(request)) throw apiError('Unsupported content type');",
    replace: '',
    notice: sameSite,
  },
];
