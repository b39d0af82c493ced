import { beside } from '../sim-connectors';
import { unitTextOf, type Trial } from './trial';

/** Values that are refused, or fail each batch that they are in. */
const isPoison = (email: string): boolean => email.startsWith('poison');

/** While one connector takes all it can get, each event of another one has its outcome soon, once its lane is free. */
export function judgePrompt({ crowd, sent, notes }: Trial): void {
  if (crowd === null) return;
  /** By lane: when the last event that is tried several times had its outcome. Those behind it wait for that. */
  const freeAt = new Map<string, number>();
  for (const { envelope, payload } of sent.filter((event) => event.envelope.connector_id === beside)) {
    const endedAt = notes.firstEndedAt.get(unitTextOf(envelope))!;
    const free = freeAt.get(envelope.lane) ?? 0;
    if (isPoison(payload.customer.email)) freeAt.set(envelope.lane, Math.max(free, endedAt));
    const ms = endedAt - Math.max(Date.parse(envelope.accepted_at), free);
    if (isPoison(payload.customer.email) || ms <= crowd.promptMs) continue;
    throw new Error(`prompt: ${unitTextOf(envelope)} of another connector took ${ms} ms`);
  }
}
