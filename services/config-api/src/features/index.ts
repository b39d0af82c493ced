import type { HttpRoute } from '@sluice/service-kit';
import { accountSecurityRoutes } from './account-security';
import type { AccountSecurityDeps } from './account-security/deps';
import { accountRoutes } from './accounts';
import type { AccountDeps } from './accounts/deps';
import { billingRoutes } from './billing';
import type { BillingDeps } from './billing/deps';
import { assistantRoutes } from './assistant';
import type { AssistantDeps } from './assistant/deps';
import { catalogueRoutes } from './catalogue';
import type { CatalogueDeps } from './catalogue/deps';
import { compatKeyRoutes } from './compat-keys';
import type { CompatKeyDeps } from './compat-keys/deps';
import { conflictRoutes } from './conflicts';
import type { ConflictDeps } from './conflicts/deps';
import { connectorRoutes } from './connectors';
import type { ConnectorDeps } from './connectors/deps';
import { credentialRoutes } from './credentials';
import type { CredentialDeps } from './credentials/deps';
import { crmInstallRoutes } from './crm-install';
import type { CrmInstallDeps } from './crm-install/deps';
import { draftRoutes } from './drafts';
import type { DraftDeps } from './drafts/deps';
import { dryRunRoutes } from './dry-run';
import type { DryRunDeps } from './dry-run/deps';
import { exportRoutes } from './exports';
import type { ExportDeps } from './exports/deps';
import { identityRoutes } from './identity';
import type { IdentityDeps } from './identity/deps';
import { importRoutes } from './imports';
import type { ImportDeps } from './imports/deps';
import { invitationRoutes } from './invitations';
import type { InvitationDeps } from './invitations/deps';
import { memberRoutes } from './members';
import type { MemberDeps } from './members/deps';
import { monitoringRoutes } from './monitoring';
import type { MonitoringDeps } from './monitoring/deps';
import { oidcRoutes } from './oidc';
import type { OidcDeps } from './oidc/deps';
import { operatorRoutes } from './operator';
import type { OperatorDeps } from './operator/deps';
import { organizationRoutes } from './organizations';
import type { OrganizationDeps } from './organizations/deps';
import { pluginRoutes } from './plugins';
import type { PluginDeps } from './plugins/deps';
import { portalRoutes } from './portal';
import type { PortalDeps } from './portal/deps';
import { quickstartRoutes } from './quickstart';
import type { QuickstartDeps } from './quickstart/deps';
import { templateRoutes } from './templates';
import type { TemplateDeps } from './templates/deps';
import { previewRoutes } from './previews';
import type { PreviewDeps } from './previews/deps';
import { recordRoutes } from './records';
import type { RecordDeps } from './records/deps';
import { replayRoutes } from './replays';
import type { ReplayDeps } from './replays/deps';
import { preflightRoutes } from './preflight';
import type { PreflightDeps } from './preflight/deps';
import { sourceFileRoutes } from './source-files';
import type { SourceFileDeps } from './source-files/deps';
import { sourceRoutes } from './sources';
import { secondFactorRoutes } from './second-factor';
import type { SecondFactorDeps } from './second-factor/deps';
import type { SourceDeps } from './sources/deps';
import { suggestionRoutes } from './suggestions';
import type { SuggestionDeps } from './suggestions/deps';
import { verificationRoutes } from './verifications';
import type { VerificationDeps } from './verifications/deps';
import { versionRoutes } from './versions';
import type { VersionDeps } from './versions/deps';

/** What the routes work with; a feature sees its own part. */
export type ConfigApiDeps = AccountDeps &
  AccountSecurityDeps &
  BillingDeps &
  AssistantDeps &
  CatalogueDeps &
  CompatKeyDeps &
  ConflictDeps &
  ConnectorDeps &
  CredentialDeps &
  CrmInstallDeps &
  DraftDeps &
  DryRunDeps &
  ExportDeps &
  IdentityDeps &
  ImportDeps &
  InvitationDeps &
  MemberDeps &
  MonitoringDeps &
  OidcDeps &
  OperatorDeps &
  OrganizationDeps &
  PluginDeps &
  PortalDeps &
  QuickstartDeps &
  TemplateDeps &
  PreviewDeps &
  RecordDeps &
  ReplayDeps &
  PreflightDeps &
  SecondFactorDeps &
  SourceFileDeps &
  SourceDeps &
  SuggestionDeps &
  VerificationDeps &
  VersionDeps;

/** Every route of the config plane. A test compares them with the contracts. */
export const configApiRoutes = (deps: ConfigApiDeps): HttpRoute[] => [
  ...accountRoutes(deps),
  ...accountSecurityRoutes(deps),
  ...billingRoutes(deps),
  ...assistantRoutes(deps),
  ...catalogueRoutes(deps),
  ...compatKeyRoutes(deps),
  ...conflictRoutes(deps),
  ...connectorRoutes(deps),
  ...credentialRoutes(deps),
  ...crmInstallRoutes(deps),
  ...draftRoutes(deps),
  ...dryRunRoutes(deps),
  ...exportRoutes(deps),
  ...identityRoutes(deps),
  ...importRoutes(deps),
  ...invitationRoutes(deps),
  ...memberRoutes(deps),
  ...monitoringRoutes(deps),
  ...oidcRoutes(deps),
  ...operatorRoutes(deps),
  ...organizationRoutes(deps),
  ...pluginRoutes(deps),
  ...portalRoutes(deps),
  ...quickstartRoutes(deps),
  ...templateRoutes(deps),
  ...previewRoutes(deps),
  ...recordRoutes(deps),
  ...replayRoutes(deps),
  ...preflightRoutes(deps),
  ...secondFactorRoutes(deps),
  ...sourceFileRoutes(deps),
  ...sourceRoutes(deps),
  ...suggestionRoutes(deps),
  ...verificationRoutes(deps),
  ...versionRoutes(deps),
];
