import type { ConfigStore } from '@sluice/ports';
import type { PrismaClient } from '../generated/client';
import { createAccountStore } from './accounts/account-store';
import { createAuditStore } from './audit-store';
import { createBillingStore } from './billing/billing-store';
import { createCompatKeyStore } from './connectors/compat-key-store';
import { createConnectorStore } from './connectors/connector-store';
import { createCredentialStore } from './credentials/credential-store';
import { createDraftStore } from './drafts/draft-store';
import { createIdentityStore } from './accounts/identity-store';
import { createInstallStore } from './credentials/install-store';
import { createInvitationStore } from './members/invitation-store';
import { createMailStore } from './mails/mail-store';
import { createMailTokenStore } from './accounts/mail-token-store';
import { createMappingStore } from './connectors/mapping-store';
import { createMemberStore } from './members/member-store';
import { createOrganizationStore } from './organizations/organization-store';
import { createOutboxStore } from './outbox-store';
import { createPluginStore } from '../plugins';
import { createSecondFactorStore } from './accounts/second-factor-store';
import { createSourceStore } from './source-store';
import { mapStoreOutage } from '../config-client/store-errors';

/** What config-api keeps, on Postgres. */
export function createConfigStore(prisma: PrismaClient): ConfigStore {
  return {
    accounts: mapStoreOutage(createAccountStore(prisma)),
    organizations: mapStoreOutage(createOrganizationStore(prisma)),
    members: mapStoreOutage(createMemberStore(prisma)),
    invitations: mapStoreOutage(createInvitationStore(prisma)),
    mailTokens: mapStoreOutage(createMailTokenStore(prisma)),
    identities: mapStoreOutage(createIdentityStore(prisma)),
    secondFactors: mapStoreOutage(createSecondFactorStore(prisma)),
    billing: mapStoreOutage(createBillingStore(prisma)),
    connectors: mapStoreOutage(createConnectorStore(prisma)),
    compatKeys: mapStoreOutage(createCompatKeyStore(prisma)),
    credentials: mapStoreOutage(createCredentialStore(prisma)),
    installs: mapStoreOutage(createInstallStore(prisma)),
    drafts: mapStoreOutage(createDraftStore(prisma)),
    mappings: mapStoreOutage(createMappingStore(prisma)),
    plugins: mapStoreOutage(createPluginStore(prisma)),
    sources: mapStoreOutage(createSourceStore(prisma)),
    mails: mapStoreOutage(createMailStore(prisma)),
    outbox: mapStoreOutage(createOutboxStore(prisma)),
    audit: mapStoreOutage(createAuditStore(prisma)),
    ...mapStoreOutage({ storeTime: () => storeTime(prisma) }),
  };
}

async function storeTime(prisma: PrismaClient): Promise<Date> {
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return row!.now;
}
