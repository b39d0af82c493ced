import type { BodyOf, configRoutes } from '@sluice/contracts';
import type { Plan } from '@sluice/ports';

/** The plan of a request. `free` has no interval, whatever was sent. */
export const wantedPlan = ({ tier, interval }: BodyOf<typeof configRoutes.checkout>): Plan =>
  ({ tier, interval: tier === 'free' ? null : interval! });
