import type { Deps } from '../deps';

/** Where a plan is changed. */
export const upgradeUrl = (deps: Pick<Deps, 'publicUrl'>): string => `${deps.publicUrl()}/billing`;
