import { configRoutes } from '@sluice/contracts';
import type { ChallengeRefusal } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { tokenHash } from '../../mails/mail-token';
import { newSession, signedIn } from '../accounts/open-session';
import type { SecondFactorDeps } from './deps';
import { codeRefusal, codeRequest, pendingMs } from './factor-code';

export function postAuthLoginMfa(deps: SecondFactorDeps): HttpRoute {
  return implementRoute(configRoutes.loginMfa, {
    handler: async ({ address, body: { code, mfa_token: token }, request, response }) => {
      const { secondFactors } = deps.store;
      const hash = tokenHash('second_factor', token);
      const found = await secondFactors.findChallenge(hash);
      if (!found.ok) throw challengeRefusal(found);
      const { userId } = found;
      const factor = await secondFactors.find(userId, pendingMs);
      // It was switched off in between.
      if (!factor?.enabled) throw apiError('invalid_mfa_token');
      const { refreshToken, session } = newSession(deps, { address, request });
      const opened = await secondFactors.signIn({ ...codeRequest(deps, { userId, code, factor }), tokenHash: hash, session });
      if (opened.ok) return { status: 200, body: signedIn(deps, response, refreshToken, opened) };
      if (opened.reason === 'deactivated') throw apiError('account_deactivated');
      if (opened.reason === 'code_wrong' || opened.reason === 'code_locked') throw codeRefusal(opened, 'invalid_mfa_code');
      throw challengeRefusal(opened);
    },
  });
}

const challengeRefusal = ({ reason }: Pick<ChallengeRefusal, 'reason'>): Error =>
  apiError(reason === 'expired_elsewhere' ? 'google_mfa_expired' : 'invalid_mfa_token');
