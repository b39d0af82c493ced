import {
  checkConfig, documentFindings, type Finding, type PluginRefusal, type Problem, type PublishLookups,
} from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { NamedCredential } from '@sluice/ports';
import { draftFacts, type DraftFacts } from './describe-draft';
import { parsedOrNull } from './parsed-or-null';

/** One document to check. Text, because it is copied between threads faster than a document. */
export interface CheckJob {
  text: string;
  moment: 'save' | 'publish';
  /** The organization's credentials; null: they are not checked. */
  credentials: NamedCredential[] | null;
  /** Names of plugins in the document that cannot be resolved, with the reason. Absent: they are not checked. */
  pluginRefusals?: [string, PluginRefusal][];
  privateTargets: 'allowed' | 'refused';
  /** Folder that file sources of the organization may watch; null: none may be watched. */
  watchedFolder: string | null;
  /** Bucket of the installation itself, which no file source may watch; null: it has none. */
  ownBucket: string | null;
  /** Whether to add findings about a document that may be saved. */
  findings?: boolean;
  /** Whether to add what answers tell of a draft, compared with this published config (JSON; null: there is none). */
  describe?: { active: string | null };
}

export interface Inspection {
  problems: Problem[];
  /** At most 500. */
  findings: Finding[];
  /** null: not asked for, or the document has problems. */
  facts: DraftFacts | null;
}

/** Findings in one answer at most. */
const maxFindings = 500;

const lookupsOf = (known: readonly NamedCredential[]): PublishLookups => ({
  credentialTypes: new Map(known.map(({ name, credentialType }) => [name, credentialType])),
  allowedHosts: new Map(known.flatMap(({ name, allowedHosts }) => (allowedHosts ? [[name, allowedHosts]] : []))),
});

/** The problems of a document, from `checkConfig`; for one that may be saved, more about it. */
export function checkConfigJob({
  text, moment, credentials, pluginRefusals, findings, describe, ...installation
}: CheckJob): Inspection {
  const lookups = {
    ...(credentials !== null && lookupsOf(credentials)),
    ...(pluginRefusals && { pluginRefusals: new Map(pluginRefusals) }),
  };
  const config: unknown = JSON.parse(text);
  const problems = checkConfig(config, { moment, lookups, ...installation });
  // Findings are about a document that may be saved, independent of what only a publish refuses.
  const isSavable = (): boolean => problems.length === 0 || checkConfig(config, { moment: 'save', ...installation }).length === 0;
  return {
    problems,
    findings: findings && isSavable() ? documentFindings(config as ConfigDocument).slice(0, maxFindings) : [],
    facts: describe && problems.length === 0 ? draftFacts(config as ConfigDocument, parsedOrNull(describe.active)) : null,
  };
}
