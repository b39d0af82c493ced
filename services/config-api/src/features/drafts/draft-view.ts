import { configEquals, directions } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { DraftRow } from '@sluice/ports';
import { iso } from '../../http/iso';

/** @param active config of the active version, null before the first publish */
export function draftView(draft: DraftRow, active: unknown) {
  const config = draft.config as ConfigDocument;
  return {
    config, base_version: draft.baseVersion === 0 ? null : draft.baseVersion, draft_version: draft.draftVersion,
    updated_at: iso(draft.updatedAt), updated_by: draft.updatedBy,
    has_changes: active === null ? !isEmpty(config) : !configEquals(config, active),
    ...directions(config),
    warnings: [],
  };
}

/** A draft in which nothing was written yet, whatever its version says. */
function isEmpty({ version: _version, ...rest }: ConfigDocument): boolean {
  return Object.values(rest).every((part) => part === undefined || Object.keys(part as object).length === 0);
}
