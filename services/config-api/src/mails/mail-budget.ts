import { callerNetwork, sha256Hex } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import type { MailKind } from './mail-templates';

const windowMs = 3_600_000;
/** Mails of one kind to one address within an hour. */
const perAddress = 5;
/** Mails that one network causes within an hour, whoever gets them. */
const perNetwork = 300;

/** Bounds on the mails that a caller can have us send to somebody. */
export interface MailBudget {
  /** Counts a mail; false: it must not be sent, and the answer to the caller says nothing of that. */
  allows(mail: { kind: MailKind; to: string; address: string }): Promise<boolean>;
}

export function createMailBudget(limits: Pick<LimitStore, 'slideWindow'>): MailBudget {
  return {
    allows: async ({ kind, to, address }) => {
      const network = await limits.slideWindow(`mails:network:${callerNetwork(address)}`, { limit: perNetwork, windowMs });
      if (!network.allowed) return false;
      return (await limits.slideWindow(`mails:${kind}:${sha256Hex(to)}`, { limit: perAddress, windowMs })).allowed;
    },
  };
}
