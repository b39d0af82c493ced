import { configRoutes } from '@sluice/contracts';
import { noteAudit } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { normalizedEmail } from '../accounts/trial-keys';
import type { OperatorDeps } from './deps';
import { iso } from '../../http/iso';

const mostMails = 200;

export function getOperatorOutbox({ authenticateOperator, store }: OperatorDeps): HttpRoute {
  return implementRoute(configRoutes.listMails, {
    authenticate: authenticateOperator,
    handler: async ({ query }) => {
      const to = query.to === undefined ? null : normalizedEmail(query.to);
      const mails = await store.mails.list(to, mostMails);
      if (to !== null) await noteReader(store, to);
      return { status: 200, body: { items: mails.map(({ sentAt, ...mail }) => ({ ...mail, sent_at: iso(sentAt) })) } };
    },
  });
}

/** The organization of the address has it in its audit log that its mails were read. */
async function noteReader({ accounts }: OperatorDeps['store'], address: string): Promise<void> {
  const user = await accounts.userByEmail(address);
  if (user) noteAudit({ organizationId: user.organizationId ?? undefined, targetId: user.id });
}
