import type { StandaloneFile } from '../standalone-file';
import type { Story } from '../story/create-story';
import { textTable } from '../story/text-table';
import type { FinishedEvent } from './await-outcomes';
import type { Holding } from './crm-holdings';
import { byType, reasons } from './summarize';

const maxReasonLength = 110;

/** The outcomes of the events: by type and status, and why some did not complete. */
export function tellOutcomes(story: Story, events: readonly FinishedEvent[], seconds: number): void {
  const types = byType(events);
  const statuses = [...new Set(types.flatMap(({ statuses: found }) => Object.keys(found)))].sort();
  const rows = types.map(({ type, statuses: found, total }) => [type, ...statuses.map((status) => found[status] ?? 0), total]);
  const sums = statuses.map((status) => types.reduce((sum, { statuses: found }) => sum + (found[status] ?? 0), 0));
  story.tell('\nWhat became of them');
  textTable(['event', ...statuses, 'total'], [...rows, ['all', ...sums, events.length]]).forEach((line) => story.tell(line));
  story.tell(`  in ${seconds.toFixed(1)} s from the first request to the last outcome: ${Math.round(events.length / seconds)} events/s (the demo keeps to the plan's 100 requests/s)`);
  story.tell('\nWhy some did not complete');
  const why = reasons(events).map(({ status, reason, count, example }) => [count, status, example.record, shortened(reason)]);
  textTable(['events', 'ended', 'for example', 'because'], why).forEach((line) => story.tell(line));
}

/** The records in the CRM, with the number of duplicates. */
export function tellHoldings(story: Story, holdings: readonly Holding[]): void {
  story.tell('\nWhat the CRM holds now');
  const linked = ({ associations }: Holding): string =>
    Object.entries(associations)
      .map(([to, count]) => `${count} to ${to}`)
      .join(', ');
  const rows = holdings.map((holding) => [
    holding.objectType,
    holding.records,
    holding.identity,
    holding.duplicates,
    linked(holding),
  ]);
  textTable(['records', 'count', 'unique by', 'duplicates', 'associations'], rows).forEach((line) => story.tell(line));
}

export interface WhatToTry {
  standalone: StandaloneFile;
  /** The path of `standalone.json`. */
  standaloneFile: string;
  example: { event_id: string; record: string };
  logFile: string;
}

/** Lines to copy, with this installation's own addresses and keys. */
export function tellWhatToTry(story: Story, { standalone, standaloneFile, example, logFile }: WhatToTry): void {
  const { base_url: base, crm_simulator_url: crm } = standalone;
  const { intro, key, owner } = story.live ? shown(standalone) : named(standaloneFile);
  const customer = { email: 'me@mail.example', first_name: 'Me' };
  const data = {
    order: { number: 'MY-1', status: 'placed', total: '12.50', currency: 'EUR', channel: 'web', lines: [] },
    customer,
  };
  const order = { event: 'order.placed', recordKey: 'MY-1', data };
  story.tell(`
Try it${intro}
  # what became of one event (order ${example.record})
  curl -s -H "x-api-key: ${key}" ${base}/api/v1/events/${example.event_id}/status

  # send an order of your own, then look at it in the CRM
  curl -s -H "x-api-key: ${key}" -H 'content-type: application/json' ${base}/api/v1/events -d '${JSON.stringify(order)}'
  curl -s '${crm}/_sim/records?portal_id=1000001&object_type=deals&property=shop_order_number&value=MY-1'

  # the API, to read and to try in a browser
  ${base}/docs

  # sign in as the demo's owner
  curl -s -H 'content-type: application/json' ${base}/api/auth/login -d ${owner}

Where to look next
  README.md                                      what this is, and how it is built
  services/standalone/src/seed/demo-config.ts    the config that just ran
  docs/architecture.md, docs/guarantees.md       how it works, and what is promised
  ${logFile}   the log

Sluice goes on running at ${base}. Ctrl-C stops it; npm start goes on where it was.`);
}

/** How the lines contain secrets. */
interface Secrets {
  intro: string;
  key: string;
  owner: string;
}

/** A terminal is read by a person only. */
const shown = ({ connector_api_key: key, owner: { email, password } }: StandaloneFile): Secrets => ({
  intro: '',
  key,
  owner: `'${JSON.stringify({ email, password })}'`,
});

/** Elsewhere the output is kept (a log, a build's record): it names the file that only this user may read. */
function named(file: string): Secrets {
  const read = (what: string): string => `$(node -p ${shellWord(what.replace('FILE', `require(${JSON.stringify(file)})`))})`;
  return {
    intro: ` (keys and passwords: ${file}; the first line reads one from there)\n  KEY=${read('FILE.connector_api_key')}\n`,
    key: '$KEY',
    owner: `"${read('JSON.stringify(FILE.owner)')}"`,
  };
}

const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** One line. A refusal of the CRM contains its reasons as JSON: the first one is shown. */
function shortened(text: string): string {
  const inner = /^(.*?): \[\{.*?"message":"(.*?)"/.exec(text);
  const line = (inner ? `${inner[1]}: ${inner[2]}` : text).replace(/\s+/g, ' ');
  return line.length > maxReasonLength ? `${line.slice(0, maxReasonLength - 1)}…` : line;
}
