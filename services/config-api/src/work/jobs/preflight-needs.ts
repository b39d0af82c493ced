import type { ConfigDocument, Tier } from '@sluice/contracts';
import { preflightNeeds } from '../../features/preflight/preflight-needs';

/** What a preflight reads out of a config (JSON), for an organization of a tier; `PreflightNeeds` as JSON. */
export const preflightNeedsJob = ({ text, tier }: { text: string; tier: Tier }): string =>
  JSON.stringify(preflightNeeds(JSON.parse(text) as ConfigDocument, tier));
