import type { RecordWrite } from '@sluice/ports';
import type { NotedWrite } from './refused-properties';

/** The CRM moves it forward only, and silently ignores any other value (docs/reference/crm-api.md, Writing). */
const property = 'lifecyclestage';

/** Adds a warning when the answer of a write shows another life cycle stage than was sent. */
export function noteLifeCycleStage(write: RecordWrite, answer: unknown): void {
  const sent = write.properties[property];
  const shown = (answer as { properties?: Record<string, string | null> } | null)?.properties?.[property];
  if (sent === undefined || sent === null || typeof shown !== 'string' || shown === String(sent)) return;
  (write as Partial<NotedWrite>).warnings?.push({ property, code: 'not_taken' });
}
