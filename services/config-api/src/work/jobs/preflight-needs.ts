import type { ConfigDocument, Tier } from '@sluice/contracts';
import { preflightNeeds } from '../needs/preflight-needs';

interface PreflightNeedsJob {
  text: string;
  tier: Tier;
  /** Names of the sources that each plugin is granted, by its name. */
  grants: Record<string, string[]>;
  /** Names of the plugins that the active version runs. */
  running: string[];
}

/** What a preflight reads out of a config (JSON), for an organization of a tier; `PreflightNeeds` as JSON. */
export const preflightNeedsJob = ({ text, tier, grants, running }: PreflightNeedsJob): string =>
  JSON.stringify(
    preflightNeeds(JSON.parse(text) as ConfigDocument, tier, { grants: new Map(Object.entries(grants)), running }),
  );
