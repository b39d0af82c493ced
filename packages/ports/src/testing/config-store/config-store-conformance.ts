import { configAccountSecurityTests } from './config-store-account-security-tests';
import { configAccountTests } from './config-store-account-tests';
import { configSessionTests } from './config-store-session-tests';
import { configAuditTests } from './config-store-audit-tests';
import { configBillingTests } from './config-store-billing-tests';
import { configCompatKeyTests } from './config-store-compat-key-tests';
import { configConnectorKeyTests } from './config-store-connector-key-tests';
import { configConnectorTests } from './config-store-connector-tests';
import { configCredentialTests } from './config-store-credential-tests';
import { configDraftTests } from './config-store-draft-tests';
import type { ConfigStoreLab } from './config-store-lab';
import { configIdentityTests } from './config-store-identity-tests';
import { configInstallTests } from './config-store-install-tests';
import { configInvitationTests } from './config-store-invitation-tests';
import { configMailTests } from './config-store-mail-tests';
import { configMailTokenTests } from './config-store-mail-token-tests';
import { configMappingTests } from './config-store-mapping-tests';
import { configMemberTests } from './config-store-member-tests';
import { configOrganizationTests } from './config-store-organization-tests';
import { configOutboxTests } from './config-store-outbox-tests';
import { configSecondFactorTests } from './config-store-second-factor-tests';
import { configSourceTests } from './config-store-source-tests';
import { configWidthTests } from './config-store-width-tests';

/**
 * What every config store must do: what config-api's routes rely on. Call it at the top level of a test file.
 * @param makeLab called once; an empty store
 */
export function configStoreConformance(name: string, makeLab: () => Promise<ConfigStoreLab>): void {
  describe(`${name} is a config store`, () => {
    let lab: ConfigStoreLab;
    beforeAll(async () => {
      lab = await makeLab();
    });
    afterAll(() => lab.close());

    it('tells the time of its clock', async () => {
      const first = await lab.store.storeTime();
      expect(Math.abs(first.getTime() - Date.now())).toBeLessThan(60_000);
      expect((await lab.store.storeTime()).getTime()).toBeGreaterThanOrEqual(first.getTime());
    });
    describe('accounts', () => configAccountTests(() => lab));
    describe('sessions', () => configSessionTests(() => lab));
    describe('passwords, addresses and sessions', () => configAccountSecurityTests(() => lab));
    describe('members', () => configMemberTests(() => lab));
    describe('invitations', () => configInvitationTests(() => lab));
    describe('tokens in mails', () => configMailTokenTests(() => lab));
    describe('organizations', () => configOrganizationTests(() => lab));
    describe('connectors', () => {
      configConnectorTests(() => lab);
      configConnectorKeyTests(() => lab);
      describe('the width', () => configWidthTests(() => lab));
    });
    describe('compat keys', () => configCompatKeyTests(() => lab));
    describe('credentials', () => configCredentialTests(() => lab));
    describe('drafts and versions', () => configDraftTests(() => lab));
    describe('identity mappings', () => configMappingTests(() => lab));
    describe('states of sources', () => configSourceTests(() => lab));
    describe('outbox and mails', () => configOutboxTests(() => lab));
    describe('sign-in elsewhere', () => configIdentityTests(() => lab));
    describe('installs', () => configInstallTests(() => lab));
    describe('billing', () => configBillingTests(() => lab));
    describe('second factors', () => configSecondFactorTests(() => lab));
    describe('mails that wait', () => configMailTests(() => lab));
    describe('audit log', () => configAuditTests(() => lab));
  });
}
