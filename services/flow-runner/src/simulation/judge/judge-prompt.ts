import { beside } from '../sim-connectors';
import { unitTextOf, type Trial } from './trial';

/** While one connector takes all it can get, each event of another one has its outcome soon. */
export function judgePrompt({ crowd, sent, notes }: Trial): void {
  for (const { envelope, payload } of sent) {
    // Some values are refused, or fail each batch that they are in.
    if (crowd === null || envelope.connector_id !== beside || payload.customer.email.startsWith('poison')) continue;
    const ms = notes.firstEndedAt.get(unitTextOf(envelope))! - Date.parse(envelope.accepted_at);
    if (ms > crowd.promptMs) throw new Error(`prompt: ${unitTextOf(envelope)} of another connector took ${ms} ms`);
  }
}
