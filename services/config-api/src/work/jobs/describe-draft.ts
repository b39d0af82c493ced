import { type Directions, directions, type Finding, hasChanges } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import { documentWarnings } from './document-warnings';
import { parsedOrNull } from './parsed-or-null';

/** What the answers of draft routes tell of a draft beside the document. */
export interface DraftFacts extends Directions {
  has_changes: boolean;
  warnings: Finding[];
}

export function draftFacts(config: ConfigDocument, active: ConfigDocument | null): DraftFacts {
  return { has_changes: hasChanges(active, config), ...directions(config), warnings: documentWarnings(config) };
}

/** `active`: the published config, null before the first publish. Both are JSON. */
export function describeDraftJob({ text, active }: { text: string; active: string | null }): DraftFacts {
  return draftFacts(JSON.parse(text) as ConfigDocument, parsedOrNull(active));
}
