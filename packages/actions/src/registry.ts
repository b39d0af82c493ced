import type { ActionName } from './action-names';
import { associate } from './associate/associate.action';
import type { Action } from './define-action';
import { find } from './find/find.action';
import { skip } from './skip/skip.action';
import { upsert } from './upsert/upsert.action';

/** Every action that can run, by its name. A test compares it with the folders. */
export const actions = { associate, find, skip, upsert } as const;

/** The build fails here when a key differs from its action's name. */
type NamedByKey = { [Name in keyof typeof actions]: { name: Name } };
actions satisfies NamedByKey;

/** The action of a name; undefined when this version cannot run it. */
export function findAction(name: string): Action | undefined {
  return Object.hasOwn(actions, name) ? actions[name as keyof typeof actions & ActionName] : undefined;
}

/** Every runnable action, in order of its name. */
export function runnableActions(): Action[] {
  return Object.values(actions);
}
