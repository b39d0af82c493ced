/** The closed set of step actions (docs/reference/steps-and-actions.md). The registry says which of them can run. */
export const allActionNames = [
  'associate',
  'associate_many',
  'create',
  'create_many',
  'delete',
  'delete_attachments',
  'delete_many',
  'dissociate',
  'export_file',
  'find',
  'find_associated',
  'notify',
  'plugin',
  'post',
  'promote_identity',
  'query',
  'skip',
  'submit_form',
  'transform',
  'update',
  'update_by_id',
  'update_many',
  'upload_file',
  'upsert',
  'upsert_many',
] as const;

export type ActionName = (typeof allActionNames)[number];

/** The bulk actions need config version 3.1. */
export const bulkActionNames: readonly ActionName[] = [
  'upsert_many',
  'create_many',
  'update_many',
  'delete_many',
  'associate_many',
];

/** Whether a text names an action of the closed set. */
export function isActionName(name: unknown): name is ActionName {
  return (allActionNames as readonly unknown[]).includes(name);
}
