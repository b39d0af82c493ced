import { BillingUnavailable, PlanNotSold } from '@sluice/ports';
import { apiError, HttpError, validationEntry } from '@sluice/service-kit';

/**
 * Runs a call of the provider.
 * @throws HttpError 502 `billing_unavailable` when it does not answer: nothing has changed; 422 for a plan that it does not sell
 */
export async function withProvider<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof BillingUnavailable) throw apiError('billing_unavailable');
    if (!(error instanceof PlanNotSold)) throw error;
    const { tier } = error.plan;
    throw new HttpError(422, [validationEntry('body', ['tier'], 'plan_not_sold', 'This plan has no price here', tier)]);
  }
}
