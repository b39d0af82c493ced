import { type Finding, requiredProvisioning, type RequiredProvisioning } from '@sluice/config-model';
import type { ConfigDocument, Tier } from '@sluice/contracts';
import { wantedAssociations, type WantedAssociation } from './wanted-associations';
import { type IdentityNeed, identityNeeds } from './identity-needs';
import { pluginFindings } from './plugin-findings';
import { type ProvisioningPlace, provisioningPlaces } from './provisioning-places';
import { scopeNeeds, type ScopeNeeds } from './scope-needs';

/** What a config needs of a portal, and findings about its plugins. */
export interface PreflightNeeds {
  plugins: Finding[];
  required: RequiredProvisioning;
  associations: WantedAssociation[];
  identities: IdentityNeed[];
  scopes: ScopeNeeds;
  places: ProvisioningPlace[];
}

/** Everything that a preflight reads out of the config; the portal is compared with it afterwards. */
export const preflightNeeds = (
  config: ConfigDocument, tier: Tier, plugins: Parameters<typeof pluginFindings>[2],
): PreflightNeeds => ({
  plugins: pluginFindings(config, tier, plugins),
  required: requiredProvisioning(config),
  associations: wantedAssociations(config),
  identities: identityNeeds(config),
  scopes: scopeNeeds(config),
  places: provisioningPlaces(config),
});
