import { configRoutes } from '@sluice/contracts';
import type { TokenRefusal } from '@sluice/ports';
import { apiError, type HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { tokenHash } from '../../mails/mail-token';
import { trialKeys } from '../accounts/trial-keys';
import { assertNewPassword } from './assert-new-password';
import type { AccountSecurityDeps } from './deps';

/** A password that is refused leaves the token as it is: it is used up with the password that is set. */
export function postAuthPasswordResetConfirm({ passwords, store }: AccountSecurityDeps): HttpRoute {
  return implementRoute(configRoutes.confirmPasswordReset, {
    handler: async ({ address, body: { token, new_password: password } }) => {
      const hash = tokenHash('reset_password', token);
      const found = await store.mailTokens.findReset(hash);
      if (!found.ok) throw refusal(found.reason);
      const { user: { email, passwordHash: presentHash }, organizationName } = found;
      await assertNewPassword(passwords, { password, presentHash, address }, { email, organizationName });
      const passwordHash = await passwords.hash(password, address);
      const reset = await store.mailTokens.reset({ tokenHash: hash, passwordHash, trialKeysOf: trialKeys });
      if (!reset.ok) throw refusal(reset.reason);
      return { status: 204 };
    },
  });
}

const refusal = (reason: TokenRefusal): HttpError => apiError(reason === 'other_account' ? 'token_invalid' : reason);
