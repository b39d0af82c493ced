import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { normalizedEmail } from '../accounts/trial-keys';
import type { OperatorDeps } from './deps';
import { iso } from '../../http/iso';

const mostMails = 200;

export function getOperatorOutbox({ authenticateOperator, store }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.listMails, {
    authenticate: authenticateOperator,
    handler: async ({ query }) => {
      const mails = await store.mails.list(query.to === undefined ? null : normalizedEmail(query.to), mostMails);
      return { status: 200, body: { items: mails.map(({ sentAt, ...mail }) => ({ ...mail, sent_at: iso(sentAt) })) } };
    },
  });
}
