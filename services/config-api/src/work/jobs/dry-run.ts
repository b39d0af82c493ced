import type { ConfigDocument } from '@sluice/contracts';
import { ExpressionError } from '@sluice/flow-engine';
import { dryRunFlow, type DryRunEvent } from '@sluice/flow-run';

export interface DryRunJob {
  /** The config, as JSON. */
  text: string;
  /** Name of a flow of the config. */
  flow: string;
  event: DryRunEvent;
}

export type DryRunResult =
  /** The answer, as JSON. */
  | { ok: true; answer: string }
  | { ok: false; reason: 'answer_too_large' }
  /** An expression of the config does not compile. */
  | { ok: false; reason: 'invalid_expression'; code: string; message: string };

/** Characters of an answer: a payload of the largest size fits in several times. */
export const maxAnswerLength = 4 * 1_048_576;

/** Runs a flow of the config over an event, on stubs of everything outside. */
export async function dryRunJob({ text, flow: name, event }: DryRunJob): Promise<DryRunResult> {
  const config = JSON.parse(text) as ConfigDocument;
  const flow = config.flows.find((one) => one.name === name);
  if (!flow) throw new Error(`the config has no flow '${name}'`);
  try {
    const answer = JSON.stringify(await dryRunFlow(config, flow, event));
    return answer.length > maxAnswerLength ? { ok: false, reason: 'answer_too_large' } : { ok: true, answer };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, reason: 'invalid_expression', code: error.code, message: error.message };
  }
}
