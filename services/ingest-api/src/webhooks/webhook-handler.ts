import type { RequestListener } from 'node:http';
import { type ConnectorChange, ingestRoutes, type ValidationEntry } from '@sluice/contracts';
import type { WallClock } from '@sluice/ports';
import { apiError, HttpError, type JsonShape, readSentBody } from '@sluice/service-kit';
import type { SentCall, VerifiedCall } from '@sluice/sources';
import { createFastHandler, type FastAnswer, type FastCall, type FastHandlerDeps } from '../http/fast-handler';
import type { CallerTurns } from '../limits/caller-turns';
import type { LookUps } from '../limits/look-ups';
import type { Spender, WorkBudget } from '../limits/work-budget';
import type { PublishedConnector, PublishedSources, ReceivingSource } from '../sources/published-sources';
import type { SourceUse } from '../sources/source-use';
import type { AcceptWebhook } from './accept-webhook';
import { readWebhookBody } from './read-webhook-body';
import type { UnverifiedBudget } from './unverified-budget';
import { type WebhookPath, webhookPath } from './webhook-path';

const contract = ingestRoutes.receiveWebhook;
const { bodyLimit } = contract;

/** A source with its connector, in one state. */
export interface FoundSource {
  connector: ConnectorChange;
  source: ReceivingSource;
}

export interface WebhookHandlerDeps extends FastHandlerDeps {
  published: PublishedSources;
  lookUps: LookUps<FoundSource>;
  accept: AcceptWebhook;
  /** Of calls that were not verified. */
  unverified: UnverifiedBudget;
  /** Of verified calls. */
  budget: WorkBudget;
  turns: CallerTurns;
  use: SourceUse;
  now: WallClock;
}

/**
 * `POST /api/webhooks/{connector_id}/{name}` on node:http. The order of the checks: 404, 410, 413, 401, then for a known sender
 * 400 and 415, 422, 423, 429, and the log. Nothing of an unknown sender is parsed, unpacked or counted for the organization.
 */
export function createWebhookHandler(deps: WebhookHandlerDeps): RequestListener {
  return createFastHandler(deps, { contract, serve: (call) => serve(deps, call) });
}

async function serve(deps: WebhookHandlerDeps, call: FastCall): Promise<FastAnswer> {
  const path = webhookPath(call.request.url ?? '');
  if (path === null) throw apiError('Not Found');
  const known = sourceOf(deps.published.peek(path.connectorId), path);
  const found = known ?? (await lookUp(deps, call, path));
  const { connector: { connector_id, organization_id }, source } = found;
  call.facts = () => ({ organization_id, connector_id, source: source.name });
  // The path of a source with signatures ends with its name, that of another does not.
  if (source.receiver.signed !== (path.token === null)) throw apiError('Not Found');
  if (!source.enabled) throw apiError('webhook_source_disabled');
  const key = sourceKey(path);
  deps.unverified.assertLeft(key, call.network);
  const body = await readSentBody(call.request, bodyLimit);
  if (deps.unverified.owes(key, call.network)) await deps.turns.next(call.network());
  const sent: SentCall = { headers: call.request.headers, body, token: path.token };
  const verified = verify(deps, found, sent);
  const sender = verified ? senderOf(found, verified) : await verifiedAnew(deps, call, path, found, sent);
  call.sender = path.connectorId;
  return acceptCall(deps, call, sender, body);
}

const verify = (
  { now }: WebhookHandlerDeps, { source: { receiver, secret } }: FoundSource, sent: SentCall,
): VerifiedCall | null => (secret === null ? null : receiver.verify(sent, secret, now()));

const sourceKey = ({ connectorId, sourceName }: WebhookPath): string => `${connectorId}/${sourceName}`;

function sourceOf(published: PublishedConnector | null | undefined, { sourceName }: WebhookPath): FoundSource | undefined {
  const source = published?.sources.get(sourceName);
  return published && source ? { connector: published.connector, source } : undefined;
}

async function lookUp({ lookUps, published }: WebhookHandlerDeps, call: FastCall, path: WebhookPath): Promise<FoundSource> {
  const ask = async (): Promise<FoundSource | undefined> => sourceOf(await published.find(path.connectorId), path);
  const found = await lookUps.run(sourceKey(path), () => call.network(), ask);
  if (!found) throw apiError('Not Found');
  return found;
}

/** A source and a call of somebody who knows its secret. */
interface Sender extends FoundSource {
  verified: VerifiedCall;
}

const senderOf = ({ connector, source }: FoundSource, verified: VerifiedCall): Sender => ({ connector, source, verified });

/**
 * A call that memory cannot verify may be signed with a secret that is newer than what the topic has told: the database is asked
 * before the call is refused, as often as the budget of unverified calls allows.
 */
async function verifiedAnew(
  deps: WebhookHandlerDeps, call: FastCall, path: WebhookPath, found: FoundSource, sent: SentCall,
): Promise<Sender> {
  const { published, unverified, use } = deps;
  unverified.spend(sourceKey(path), call.network(), sent.body.length);
  // While the database is away the topic tells of no change either.
  const newest = sourceOf(await published.refresh(path.connectorId).catch(() => null), path);
  const second = newest?.source.enabled && newest.source.secret !== found.source.secret ? verify(deps, newest, sent) : null;
  if (newest && second !== null) return senderOf(newest, second);
  use.failed(path.connectorId, path.sourceName, found.source.receiver.signed ? 'Invalid signature' : 'Wrong URL');
  throw apiError(found.source.receiver.signed ? 'Invalid signature' : 'Not Found');
}

async function acceptCall(
  deps: WebhookHandlerDeps, call: FastCall, { connector, source, verified }: Sender, body: Buffer,
): Promise<FastAnswer> {
  const { budget, turns, use } = deps;
  const { connector_id: connectorId, organization_id: organizationId } = connector;
  const spender: Spender = { organizationId, key: `${connectorId}/${source.name}`, network: () => call.network() };
  budget.assertLeft(spender);
  let shape: JsonShape | null = null;
  try {
    if (budget.owes(organizationId)) await turns.next(spender.network());
    const reading = readWebhookBody(call.request, body, bodyLimit, (seen) => void (shape = seen));
    const parsed = reading instanceof Promise ? await reading : reading;
    const read = source.receiver.read(parsed, call.request.headers, verified);
    if (!read.ok) throw new HttpError(422, read.problems);
    const { requestId, trace } = call;
    const eventIds = await deps.accept({ connector, sourceName: source.name, events: read.events, requestId, trace });
    use.received(connectorId, source.name);
    budget.spend(spender, { shape, refused: false });
    return { status: 202, text: acceptedText(eventIds, read.isSplit) };
  } catch (error) {
    const refused = error instanceof HttpError && error.status < 500;
    if (refused) use.failed(connectorId, source.name, refusalText(error));
    budget.spend(spender, { shape, refused });
    throw error;
  }
}

/** Why a call was refused, for its owner: without values of the call. */
function refusalText({ detail, status }: HttpError): string {
  if (typeof detail === 'string') return `${status} ${detail}`;
  if (!Array.isArray(detail)) return `${status} ${String((detail as { error?: unknown }).error)}`;
  const [first] = detail as ValidationEntry[];
  return `${status} ${first?.loc.join('.')}: ${first?.msg}`;
}

/** Event ids need no escapes. */
function acceptedText(eventIds: readonly string[], isSplit: boolean): string {
  if (!isSplit) return `{"event_id":"${eventIds[0]}","status":"processing"}`;
  return `{"event_ids":[${eventIds.map((id) => `"${id}"`).join(',')}],"status":"processing"}`;
}
