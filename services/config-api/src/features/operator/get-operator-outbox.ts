import { configRoutes } from '@sluice/contracts';
import { type MailRow, noteAudit } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { normalizedEmail } from '../accounts/trial-keys';
import type { OperatorDeps } from './deps';
import { iso } from '../../http/iso';

const mostMails = 200;

export function getOperatorOutbox({ authenticateOperator, mailer, sendsMails, store }: OperatorDeps): HttpRoute {
  const shown = (mail: MailRow) => {
    const { subject, text, links } = mailer.open(mail);
    return { to: mail.to, subject, text, links, sent_at: iso(mail.createdAt) };
  };
  return implementRoute(configRoutes.listMails, {
    authenticate: authenticateOperator,
    handler: async ({ query }) => {
      const to = query.to === undefined ? null : normalizedEmail(query.to);
      const mails = sendsMails ? [] : await store.mails.list(to, mostMails);
      if (to !== null) await noteReader(store, to);
      return { status: 200, body: { items: mails.map(shown) } };
    },
  });
}

/** The organizations of the address have it in their audit logs that its mails were read. */
async function noteReader({ accounts }: OperatorDeps['store'], address: string): Promise<void> {
  const user = await accounts.userByEmail(address);
  if (user) noteAudit({ organizationIds: user.organizationIds, targetId: user.id });
}
