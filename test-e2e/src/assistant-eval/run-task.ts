import { eventually } from '@sluice/testkit';
import { call } from '../support/cluster';
import { type EvalEvent, type EvalTask, type ExpectedRecord, messageOf } from './eval-task';

/** A running installation with a model behind its assistant. */
export interface Installation {
  baseUrl: string;
  crmSimulatorUrl: string;
  /** Headers of an organization key. */
  auth: Record<string, string>;
  crmCredentialId: string;
  portalId: number;
}

export interface TaskScore {
  task: string;
  /** Every event has ended and every expected record is as it should be. */
  passed: boolean;
  /** Why it did not pass; null when it did. */
  problem: string | null;
  toolCalls: number;
  tokens: number;
}

/** Milliseconds for one turn of the assistant. */
const turnMs = 300_000;
const patience = { timeoutMs: 60_000, everyMs: 100 };
const ended = new Set(['completed', 'skipped', 'failed', 'partial_failure']);

/** The assistant works on a new connector; what it proposed is applied, published and fed with the events of the task. */
export async function runTask(on: Installation, task: EvalTask): Promise<TaskScore> {
  const score: TaskScore = { task: task.name, passed: false, problem: null, toolCalls: 0, tokens: 0 };
  try {
    await judge(on, task, score);
    return { ...score, passed: true };
  } catch (error) {
    return { ...score, problem: (error as Error).message.slice(0, 500) };
  }
}

/** Throws when something is not as the task wants it. */
async function judge(on: Installation, task: EvalTask, score: TaskScore): Promise<void> {
  const api = (method: string, path: string, body?: unknown) => call(on.baseUrl, method, path, body, on.auth);
  const asked = { name: task.name, credential_id: on.crmCredentialId, create_api_key: true };
  const connector = await api('POST', '/api/connectors', asked);
  const at = `/api/connectors/${connector.id}`;
  const session = await api('POST', `${at}/assistant/sessions`);
  const sessionPath = `${at}/assistant/sessions/${session.id}`;
  const { reason, tokens } = await turn(on, `${sessionPath}/messages`, messageOf(task));
  const { proposals, tool_calls: toolCalls } = await api('GET', sessionPath);
  Object.assign(score, { toolCalls, tokens });
  if (proposals.length === 0) throw new Error(`nothing was proposed (${reason})`);
  await api('POST', `${sessionPath}/proposals/${proposals.at(-1).id}/apply`);
  await api('POST', `${at}/publish`, {});
  await send(on, task, { 'x-api-key': connector.api_key.raw_key });
  for (const record of task.expected) await assertRecord(on, record);
}

/** Says something to the assistant and follows the turn to its end. */
async function turn(on: Installation, path: string, content: string): Promise<{ reason: string; tokens: number }> {
  const response = await fetch(on.baseUrl + path, {
    method: 'POST', headers: { ...on.auth, 'content-type': 'application/json' }, body: JSON.stringify({ content }),
    signal: AbortSignal.timeout(turnMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the assistant answered ${response.status}: ${text}`);
  const last = /event: done\n(?:.*\n)*?data: (.*)/.exec(text)?.[1] ?? /data: (.*)\n\n$/.exec(text)?.[1];
  if (last === undefined) throw new Error('the turn had no end');
  const { reason, usage } = JSON.parse(last) as { reason: string; usage: { input_tokens: number; output_tokens: number } };
  return { reason, tokens: usage.input_tokens + usage.output_tokens };
}

/** Sends the events one after the other, each until it has ended. */
async function send(on: Installation, { events }: EvalTask, key: Record<string, string>): Promise<void> {
  for (const event of events) {
    const { event_id: eventId } = await accepted(on, event, key);
    const status = () => call(on.baseUrl, 'GET', `/api/v1/events/${eventId}/status`, undefined, key);
    await eventually(async () => ended.has((await status()).status), patience);
    const { status: outcome, entities } = await status();
    if (outcome === 'failed' || outcome === 'partial_failure')
      throw new Error(`the event ${event.event} ended ${outcome}: ${JSON.stringify(entities)}`);
  }
}

/** Until the acceptors know the version, they say that nothing is subscribed to the event. */
async function accepted(on: Installation, event: EvalEvent, key: Record<string, string>): Promise<{ event_id: string }> {
  let answer: { event_id: string; hint: string | null } | undefined;
  const isTaken = async (): Promise<boolean> => {
    answer = await call(on.baseUrl, 'POST', '/api/v1/events', { recordKey: event.event, ...event }, key);
    return answer!.hint === null;
  };
  await eventually(isTaken, patience).catch((error: unknown) => {
    throw new Error(`no flow takes the event ${event.event}: ${answer?.hint ?? String(error)}`);
  });
  return answer!;
}

async function assertRecord(
  { crmSimulatorUrl, portalId }: Installation, { objectType, property, value, properties = {}, linkedTo = [] }: ExpectedRecord,
): Promise<void> {
  const query = new URLSearchParams({ portal_id: String(portalId), object_type: objectType, property, value });
  const { items } = await call(crmSimulatorUrl, 'GET', `/_sim/records?${query}`);
  const what = `${objectType} with ${property} "${value}"`;
  if (items.length !== 1) throw new Error(`there are ${items.length} ${what}`);
  for (const [name, wanted] of Object.entries(properties)) {
    const found = items[0].properties[name];
    if (found !== wanted) throw new Error(`${what}: ${name} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }
  const links = items[0].associations.map((link: { to_object_type: string }) => link.to_object_type);
  for (const type of linkedTo) if (!links.includes(type)) throw new Error(`${what} is not linked to ${type}`);
}
