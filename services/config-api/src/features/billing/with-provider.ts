import { BillingUnavailable } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';

/** Runs a call of the provider. @throws HttpError 502 `billing_unavailable` when it does not answer: nothing has changed */
export async function withProvider<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof BillingUnavailable ? apiError('billing_unavailable') : error;
  }
}
