import type { Handler, PluginPayload } from 'sluice-plugin';

/** Asks a service on the internet. What passes by itself is a retry, what never will is an error of the record. */
export const handler: Handler<PluginPayload<{ vat_id?: string }>> = async ({ payload: { vat_id: vatId } }) => {
  if (!vatId) return { vat_valid: null };
  const answer = await fetch(`https://vat.example.com/v1/ids/${encodeURIComponent(vatId)}`).catch((error: Error) => error);
  if (answer instanceof Error) return { action: 'retry', reason: `the VAT service cannot be reached: ${answer.message}` };
  const { status } = answer;
  if (status === 429 || status >= 500) return { action: 'retry', reason: `the VAT service answered ${status}` };
  if (status === 404) return { vat_valid: false };
  if (!answer.ok) throw new Error(`the VAT service answered ${status} for ${vatId}`);
  const { company } = await answer.json<{ company: string }>();
  return { vat_valid: true, company };
};
