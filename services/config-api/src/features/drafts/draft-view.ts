import type { ConfigDocument } from '@sluice/contracts';
import type { DraftRow } from '@sluice/ports';
import { iso } from '../../http/iso';
import type { DraftFacts } from '../../work/jobs/describe-draft';

/** The draft as every draft route answers it. */
export function draftView(draft: DraftRow, { has_changes, direction, flow_directions, warnings }: DraftFacts) {
  return {
    config: draft.config as ConfigDocument, base_version: draft.baseVersion === 0 ? null : draft.baseVersion,
    draft_version: draft.draftVersion, updated_at: iso(draft.updatedAt), updated_by: draft.updatedBy,
    has_changes, direction, flow_directions, warnings,
  };
}
