import { createApiClient } from '@sluice/api-client';
import { readPrivateJson, writePrivateJson } from '../folder/private-json';
import type { StandaloneFile } from '../standalone-file';
import type { Story } from '../story/create-story';
import { awaitOutcomes, type FinishedEvent } from './await-outcomes';
import { crmHoldings, type Holding } from './crm-holdings';
import { demoEvents } from './demo-events';
import { startProgress } from './progress';
import { sendEvents } from './send-events';
import { tellHoldings, tellOutcomes, tellWhatToTry } from './tell-demo';

export interface DemoOptions {
  story: Story;
  standalone: StandaloneFile;
  /** The path of `standalone.json`. */
  standaloneFile: string;
  /** The file that notes that the demo is done. */
  file: string;
  /** Shows the sync in both directions, after the outcomes of the events. */
  runTwoWay(): Promise<void>;
  /** For the reader. */
  logFile: string;
  signal: AbortSignal;
}

/** Stored beside the data, so that a second start sends nothing again and can still show the results. */
interface DemoNote {
  /** Another connector (a new DATABASE_URL) gets a demo of its own. */
  connector_id: string;
  finished_at: string;
  events: number;
  /** A completed event, for the examples. */
  example: { event_id: string; record: string };
}

/** An event may wait for retries of 150 s in all; after a longer time the demo shows which events are still under way. */
const outcomeTimeoutMs = 300_000;

/** Sends the demo's orders and shows their outcomes; when that was done before, only shows the results. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { story, standalone, file } = options;
  const held = (): Promise<Holding[]> => crmHoldings(standalone.crm_simulator_url!, options.signal);
  const before = readPrivateJson<DemoNote>(file);
  if (before?.connector_id === standalone.connector_id) {
    story.tell(`\nThe ${before.events} demo events were sent on ${before.finished_at.slice(0, 16).replace('T', ' ')} UTC; they are not sent again.`);
    tellHoldings(story, await held());
    await options.runTwoWay();
    return tellWhatToTry(story, { ...options, example: before.example });
  }
  const { finished, seconds } = await sendAndWait(options);
  const ended = finished.every(({ answer }) => !['processing', 'pending', 'delayed'].includes(answer.status));
  const holdings = await held();
  tellOutcomes(story, finished, seconds);
  tellHoldings(story, holdings);
  const shown =
    finished.find(({ event, answer }) => event.body.event === 'order.shipped' && answer.status === 'completed') ?? finished[0]!;
  const example = { event_id: shown.id, record: shown.event.body.recordKey ?? '' };
  if (ended)
    writePrivateJson(file, {
      connector_id: standalone.connector_id,
      finished_at: new Date().toISOString(),
      events: finished.length,
      example,
    } satisfies DemoNote);
  await options.runTwoWay();
  tellWhatToTry(story, { ...options, example });
}

async function sendAndWait({ story, standalone, signal }: DemoOptions): Promise<{ finished: FinishedEvent[]; seconds: number }> {
  const headers = { 'x-api-key': standalone.connector_api_key };
  const api = createApiClient({ baseUrl: standalone.base_url, headers, signal });
  const events = demoEvents();
  const began = performance.now();
  story.tell(`\nA small coffee shop sends ${events.length} events (orders, customers, newsletter subscribers; some of them wrong) through POST /api/v1/events:`);
  const accepting = startProgress(story, 'accepted', events.length);
  const sent = await sendEvents({ api, events, onSent: accepting.step }).finally(accepting.end);
  const arriving = startProgress(story, 'processed', sent.length);
  const finished = await awaitOutcomes(api, sent, outcomeTimeoutMs, arriving.step).finally(arriving.end);
  return { finished, seconds: (performance.now() - began) / 1_000 };
}
