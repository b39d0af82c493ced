import type { RecordWrite } from '@sluice/ports';
import type { NotedWrite } from './refused-properties';

/** The CRM moves it forward only, and ignores any other value without a word (docs/reference/crm-api.md, Writing). */
const property = 'lifecyclestage';

/** Says so when the answer of a write shows another life cycle stage than was sent. */
export function noteLifeCycleStage(write: RecordWrite, answer: unknown): void {
  const sent = write.properties[property];
  const shown = (answer as { properties?: Record<string, string | null> } | null)?.properties?.[property];
  if (sent === undefined || sent === null || typeof shown !== 'string' || shown === String(sent)) return;
  (write as Partial<NotedWrite>).warnings?.push({ property, code: 'not_taken' });
}
