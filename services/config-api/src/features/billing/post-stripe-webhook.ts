import { configRoutes } from '@sluice/contracts';
import { type BillingMessage, BillingMessageRefused, type BillingMessages } from '@sluice/ports';
import { apiError, HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Request } from 'express';
import type { BillingDeps } from './deps';
import { withProvider } from './with-provider';

type Deps = Pick<BillingDeps, 'billing' | 'store'>;

/**
 * Takes what Stripe says. An answer other than 200 makes Stripe send it again, which changes nothing that was done before.
 * The signature covers the bytes; what they say is read from them only after that.
 */
export function postStripeWebhook({ billing, store }: Deps): HttpRoute {
  return implementRoute(configRoutes.stripeWebhook, {
    authenticate: (request) => {
      const { messages } = billing;
      if (messages === null) throw apiError('Not Found');
      return { messages, signature: signatureOf(request, messages) };
    },
    handler: async ({ bodyBytes, principal, wide }) => {
      const message = await read(principal.messages, bodyBytes, principal.signature);
      if (message !== null) wide.add({ stripe_event_id: message.eventId, ...(await take({ billing, store }, message)) });
      return { status: 200, body: { received: true } };
    },
  });
}

const refused = (): HttpError => new HttpError(400, 'Invalid signature');

function signatureOf({ headers }: Request, { signatureHeader }: BillingMessages): string {
  const signature = headers[signatureHeader];
  if (typeof signature !== 'string' || signature === '') throw refused();
  return signature;
}

async function read(messages: BillingMessages, body: Buffer, signature: string): Promise<BillingMessage | null> {
  try {
    return await withProvider(messages.read(body, signature));
  } catch (error) {
    throw error instanceof BillingMessageRefused ? refused() : error;
  }
}

/** @returns fields of the log line */
async function take({ billing, store }: Deps, message: BillingMessage): Promise<Record<string, unknown>> {
  const { customerId, subscriptionId, organizationId: named, ...facts } = message;
  const organizationId = named ?? (customerId === null ? null : await store.billing.organizationOfCustomer(customerId));
  // A subscription of somebody who is no organization here: the account at Stripe may sell other things too.
  if (organizationId === null) return { taken: false };
  const ids = { ...(customerId === null ? {} : { customerId }), ...(subscriptionId === null ? {} : { subscriptionId }) };
  const taken = await store.billing.take({ ...facts, organizationId, ids });
  if (message.reference !== null) await tellDetails({ billing, store }, organizationId);
  return { organization_id: organizationId, taken };
}

/** A customer that the payment has made knows nothing of the details that were given before. */
async function tellDetails({ billing, store }: Deps, organizationId: string): Promise<void> {
  const [details, subscription] = await Promise.all(
    [store.billing.details(organizationId), store.billing.subscription(organizationId)],
  );
  if (details && subscription) await withProvider(billing.updateCustomer(subscription, details));
}
