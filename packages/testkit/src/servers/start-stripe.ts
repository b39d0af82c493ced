import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

/** A request that the server got; `form` has the fields as they were sent: `items[0][price]`. */
export interface StripeRequest {
  method: string;
  path: string;
  form: Readonly<Record<string, string>>;
  idempotencyKey: string | undefined;
}

export interface StripeEvent {
  id: string;
  type: string;
  /** Seconds since the epoch. */
  created: number;
  data: { object: object };
}

/** A body as Stripe posts it, and its `Stripe-Signature`. */
export interface SignedEvent {
  body: string;
  signature: string;
}

/** What of Stripe's API the product uses, on this machine: pages of payment, subscriptions, customers. */
export interface TestStripe {
  /** `SLUICE_STRIPE_API_BASE` */
  url: string;
  webhookSecret: string;
  requests: StripeRequest[];
  /** Answers 503 from now on, or no longer. */
  setAway(away: boolean): void;
  /** Somebody pays on the page of a session: its subscription, as Stripe has it from now on. */
  pay(sessionId: string): Subscription;
  subscription(id: string): Subscription | undefined;
  session(id: string): object;
  event(type: string, object: object, over?: Partial<StripeEvent>): StripeEvent;
  /** Signed by the SDK. @param over another secret, or another time, seconds since the epoch */
  signed(event: object, over?: { secret?: string; at?: number }): SignedEvent;
  stop(): Promise<void>;
}

export interface Subscription {
  id: string;
  object: 'subscription';
  status: string;
  customer: string;
  currency: string;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  metadata: Record<string, string>;
  items: { data: { id: string; price: { id: string }; current_period_end: number }[] };
}

interface Session {
  id: string;
  object: 'checkout.session';
  mode: string;
  status: string;
  payment_status: string;
  url: string | null;
  customer: string | null;
  subscription: string | null;
  client_reference_id: string | null;
  form: StripeRequest['form'];
}

/** The end of every period, seconds since the epoch: 2100. */
export const stripePeriodEnd = 4_102_444_800;
/** What a change of a subscription costs in cents; a price costs as many cents as its id has characters. */
export const stripeChangeCosts = 1_234;

/** The thing and its id. */
const pathOf = /^\/v1\/((?:checkout\/|billing_portal\/)?\w+(?:\/create_preview)?)(?:\/(\w+))?$/;

type Answer = [number, object];
type Handler = (id: string, request: StripeRequest) => Answer;

/** Starts it. An idempotency key that it has seen gets the answer that it gave before. */
export async function startStripe(): Promise<TestStripe> {
  const requests: StripeRequest[] = [];
  const [sessions, subscriptions, answers] = [new Map<string, Session>(), new Map<string, Subscription>(), new Map<string,
    Answer>()];
  let away = false;
  let url = '';
  const missing: Answer = [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' } }];
  const handlers: Record<string, Handler> = {
    'POST checkout/sessions': (_, { form }) => {
      const session = newSession(url, form);
      sessions.set(session.id, session);
      return [200, session];
    },
    'GET checkout/sessions': (id, { form }) => {
      const session = sessions.get(id);
      const expanded = form['expand[0]'] === 'subscription' && session?.subscription;
      return session ? [200, expanded ? { ...session, subscription: subscriptions.get(expanded) } : session] : missing;
    },
    'GET subscriptions': (id) => found(subscriptions.get(id), missing),
    'POST subscriptions': (id, { form }) => {
      const known = subscriptions.get(id);
      if (known) change(known, form);
      return found(known, missing);
    },
    'POST customers': (id) => [200, { id, object: 'customer' }],
    'POST billing_portal/sessions': (_, { form }) => [200, { id: 'bps_1', url: `${url}/portal/${form['customer']}` }],
    'GET prices': (id) => [200, { id, object: 'price', currency: 'eur', unit_amount: id.length }],
    'POST invoices/create_preview': () => [200, { object: 'invoice', amount_due: stripeChangeCosts, currency: 'eur' }],
  };
  const answer = (request: StripeRequest): Answer => {
    if (away) return [503, { error: { type: 'api_error', message: 'away' } }];
    const [, thing = '', id = ''] = pathOf.exec(request.path) ?? [];
    const { idempotencyKey: key } = request;
    const before = key === undefined ? undefined : answers.get(key);
    const given = before ?? handlers[`${request.method} ${thing}`]?.(id, request) ?? missing;
    // The answer as it was then, not as the thing is by now.
    if (key !== undefined) answers.set(key, structuredClone(given));
    return given;
  };
  const server = createServer((incoming, response) => void readRequest(incoming).then((request) => {
    requests.push(request);
    const [status, body] = answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhookSecret = `whsec_${randomUUID()}`;
  return {
    url, webhookSecret, requests,
    setAway: (gone) => { away = gone; },
    pay: (id) => {
      const session = sessions.get(id)!;
      const subscription = newSubscription(session);
      subscriptions.set(subscription.id, subscription);
      Object.assign(session, {
        status: 'complete', payment_status: 'paid', url: null, customer: subscription.customer, subscription: subscription.id,
      });
      return subscription;
    },
    subscription: (id) => subscriptions.get(id),
    session: (id) => sessions.get(id)!,
    event: (type, object, over = {}) =>
      ({ id: `evt_${randomUUID()}`, type, created: Math.floor(Date.now() / 1000), data: { object }, ...over }),
    signed: (event, { secret = webhookSecret, at: timestamp = Math.floor(Date.now() / 1000) } = {}) => {
      const body = JSON.stringify({ object: 'event', ...event });
      return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) };
    },
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

const found = (thing: object | undefined, missing: Answer): Answer => (thing ? [200, thing] : missing);
const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

function newSession(url: string, form: StripeRequest['form']): Session {
  const id = newId('cs');
  return {
    id, object: 'checkout.session', mode: form['mode'] ?? '', status: 'open', payment_status: 'unpaid', url: `${url}/pay/${id}`,
    customer: form['customer'] ?? null, subscription: null, client_reference_id: form['client_reference_id'] ?? null, form,
  };
}

function newSubscription({ customer, form }: Session): Subscription {
  const price = { id: form['line_items[0][price]'] ?? '' };
  return {
    id: newId('sub'), object: 'subscription', status: 'active', customer: customer ?? newId('cus'), currency: 'eur',
    cancel_at: null,
    cancel_at_period_end: false, metadata: { organization_id: form['subscription_data[metadata][organization_id]'] ?? '' },
    items: { data: [{ id: newId('si'), price, current_period_end: stripePeriodEnd }] },
  };
}

function change(subscription: Subscription, form: StripeRequest['form']): void {
  const [item] = subscription.items.data;
  if (item && form['items[0][id]'] === item.id) item.price = { id: form['items[0][price]'] ?? item.price.id };
  const atEnd = form['cancel_at_period_end'];
  if (atEnd === undefined) return;
  Object.assign(subscription, { cancel_at_period_end: atEnd === 'true', cancel_at: atEnd === 'true' ? stripePeriodEnd : null });
}

async function readRequest(incoming: IncomingMessage): Promise<StripeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { pathname, search } = new URL(incoming.url ?? '/', 'http://stripe.test');
  const sent = Buffer.concat(chunks).toString('utf8') || search;
  return {
    method: incoming.method ?? '', path: pathname, form: Object.fromEntries(new URLSearchParams(sent)),
    idempotencyKey: incoming.headers['idempotency-key'] as string | undefined,
  };
}
