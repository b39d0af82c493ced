import { configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { SecondFactorDeps } from './deps';
import { pendingMs, sealContext } from './factor-code';
import { newEnrollment } from './totp';

export function postMeMfaEnroll({ authenticateAccount, keyring, store }: SecondFactorDeps): HttpRoute {
  return implementRoute(configRoutes.enrollMfa, {
    authenticate: authenticateAccount,
    handler: async ({ principal: { email, userId } }) => {
      const { secret, otpauthUrl, qrSvg } = newEnrollment(email);
      const sealed = keyring.encrypt(secret, sealContext(userId));
      const enrolled = await store.secondFactors.enroll({ userId, sealed, pendingMs });
      if (!enrolled.ok) throw apiError(enrolled.reason);
      return { status: 200, body: { secret, otpauth_url: otpauthUrl, qr_svg: qrSvg } };
    },
  });
}
