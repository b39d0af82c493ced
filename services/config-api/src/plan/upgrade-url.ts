import type { WithPublicUrl } from '../http/with-public-url';

/** Where a plan is changed. */
export const upgradeUrl = (deps: WithPublicUrl): string => `${deps.publicUrl()}/billing`;
