import type { WithPublicUrl } from '../../http/with-public-url';

/** What the guide is written with. */
export type QuickstartDeps = WithPublicUrl;
