import { directions, hasChanges } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { DraftRow } from '@sluice/ports';
import { documentWarnings } from './document-warnings';
import { iso } from '../../http/iso';

/** @param active config of the active version, null before the first publish */
export function draftView(draft: DraftRow, active: unknown) {
  const config = draft.config as ConfigDocument;
  return {
    config, base_version: draft.baseVersion === 0 ? null : draft.baseVersion, draft_version: draft.draftVersion,
    updated_at: iso(draft.updatedAt), updated_by: draft.updatedBy,
    has_changes: hasChanges(active as ConfigDocument | null, config),
    ...directions(config),
    warnings: documentWarnings(config),
  };
}
