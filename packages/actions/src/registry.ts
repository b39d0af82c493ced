import type { DescribedAction } from './action-definition';
import type { ActionName } from './action-names';
import { associateMany } from './associate-many/associate-many.action';
import { associate } from './associate/associate.action';
import { createMany } from './create-many/create-many.action';
import { create } from './create/create.action';
import type { RunnableAction } from './define-action';
import { deleteAttachments } from './delete-attachments/delete-attachments.action';
import { deleteMany } from './delete-many/delete-many.action';
import { deleteAction } from './delete/delete.action';
import { dissociate } from './dissociate/dissociate.action';
import { exportFile } from './export-file/export-file.action';
import { findAssociated } from './find-associated/find-associated.action';
import { find } from './find/find.action';
import { notify } from './notify/notify.action';
import { plugin } from './plugin/plugin.action';
import { post } from './post/post.action';
import { promoteIdentity } from './promote-identity/promote-identity.action';
import { query } from './query/query.action';
import { skip } from './skip/skip.action';
import { submitForm } from './submit-form/submit-form.action';
import { transform } from './transform/transform.action';
import { updateById } from './update-by-id/update-by-id.action';
import { updateMany } from './update-many/update-many.action';
import { update } from './update/update.action';
import { uploadFile } from './upload-file/upload-file.action';
import { upsertMany } from './upsert-many/upsert-many.action';
import { upsert } from './upsert/upsert.action';

/** Every action of the closed set, by its name. A test compares it with the folders. */
export const actions = {
  associate,
  associate_many: associateMany,
  create,
  create_many: createMany,
  delete: deleteAction,
  delete_attachments: deleteAttachments,
  delete_many: deleteMany,
  dissociate,
  export_file: exportFile,
  find,
  find_associated: findAssociated,
  notify,
  plugin,
  post,
  promote_identity: promoteIdentity,
  query,
  skip,
  submit_form: submitForm,
  transform,
  update,
  update_by_id: updateById,
  update_many: updateMany,
  upload_file: uploadFile,
  upsert,
  upsert_many: upsertMany,
} as const;

/** The build fails here when a name of the closed set has no action, or a key differs from its action's name. */
type NamedByKey = { [Name in ActionName]: { name: Name } };
actions satisfies NamedByKey;

/** The action of a name; undefined outside the closed set. */
export function describedAction(name: string): DescribedAction | undefined {
  return Object.hasOwn(actions, name) ? actions[name as ActionName] : undefined;
}

/** The action of a name; undefined when this version cannot run it. */
export function findAction(name: string): RunnableAction | undefined {
  const action = describedAction(name);
  return action && isRunnable(action) ? action : undefined;
}

/** Every action, in order of its name. */
export function allActions(): DescribedAction[] {
  return Object.values(actions);
}

/** Every action that this version can run, in order of its name. */
export function runnableActions(): RunnableAction[] {
  return allActions().filter(isRunnable);
}

function isRunnable(action: DescribedAction): action is RunnableAction {
  return 'compile' in action;
}
