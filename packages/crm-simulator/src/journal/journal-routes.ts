import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { jsonBody } from '../http/request-body';
import type { AppRoute, Call, OpenRoute } from '../http/route';
import { batchAnswer, batchTexts } from '../http/batch-answer';
import { fileLink, linkHolds } from './file-links';
import type { JournalFile } from '../state/journal';

const maxBatch = 100;

/** With `installPortalId` only files that hold events of that portal count. */
const portalOf = (call: Call): string => call.query.get('installPortalId') ?? '';
const concerns =
  (call: Call) =>
  (file: JournalFile): boolean =>
    portalOf(call) === '' || file.events.some((event) => String(event['portalId']) === portalOf(call));

const entry = (call: Call, file: JournalFile): Record<string, unknown> => ({
  ...fileLink(call.baseUrl, file.offset, call.sim.now(), portalOf(call)),
  currentOffset: file.offset,
});

const one = (call: Call, files: readonly JournalFile[]): Answer => {
  const file = files.find(concerns(call));
  return file ? answer(200, entry(call, file)) : noContent;
};

function batch(
  call: Call,
  pick: (all: readonly JournalFile[], count: number) => readonly JournalFile[],
  all: readonly JournalFile[],
): Answer {
  const count = Number(call.params['count']);
  if (!Number.isInteger(count) || count < 1 || count > maxBatch)
    refuse(invalid(`Invalid count: ${call.params['count']} (allowed: 1 to ${maxBatch})`));
  const now = new Date(call.sim.now()).toISOString();
  return answer(200, {
    status: 'COMPLETE',
    results: pick(all.filter(concerns(call)), count).map((file) => entry(call, file)),
    startedAt: now,
    completedAt: now,
  });
}

const everything = Number.MAX_SAFE_INTEGER;
const first = (all: readonly JournalFile[], count: number): readonly JournalFile[] => all.slice(0, count);
const last = (all: readonly JournalFile[], count: number): readonly JournalFile[] => all.slice(-count);

/** Files after the offset of the path; an unknown or expired one is a 404. */
const after = (call: Call): readonly JournalFile[] =>
  call.sim.journal.after(call.params['offset']!, everything) ?? refuse(notFound('The offset does not exist or has expired'));

/** Files by their offsets; with unknown or expired ones among them a 207 that names these. */
function batchRead(call: Call): Answer {
  const offsets = batchTexts(jsonBody(call.rawBody, ['inputs']));
  const now = call.sim.now();
  const results = offsets.flatMap((offset) => call.sim.journal.file(offset) ?? []).map((file) => entry(call, file));
  const missing = offsets.filter((offset) => !call.sim.journal.file(offset));
  const problems =
    missing.length === 0 ? [] : [notFound('Some offsets do not exist or have expired', { context: { offset: missing } })];
  return batchAnswer(200, results, problems, { startedAt: now, completedAt: now });
}

function download(call: Call): Answer {
  const offset = call.params['offset']!;
  if (!linkHolds(offset, call.query, call.sim.now())) refuse({ status: 403, message: 'The link is not valid or has expired' });
  const file = call.sim.journal.file(offset) ?? refuse(notFound());
  const portal = call.query.get('portal') ?? '';
  const journalEvents = portal === '' ? file.events : file.events.filter((event) => String(event['portalId']) === portal);
  return answer(200, { offset, journalEvents, publishedAt: new Date(file.publishedAt).toISOString() });
}

const base = { auth: 'app', method: 'GET', scope: 'developer.webhooks_journal.read' } as const;

/** Reading the change journal. Nothing new is a 204. */
export const journalRoutes: readonly (AppRoute | OpenRoute)[] = [
  { ...base, path: '/journal/earliest', handle: (call) => one(call, call.sim.journal.earliest(everything)) },
  { ...base, path: '/journal/latest', handle: (call) => one(call, [...call.sim.journal.latest(everything)].reverse()) },
  { ...base, path: '/journal/offset/:offset/next', handle: (call) => one(call, after(call)) },
  {
    ...base,
    path: '/journal/batch/earliest/:count',
    handle: (call) => batch(call, first, call.sim.journal.earliest(everything)),
  },
  { ...base, path: '/journal/batch/latest/:count', handle: (call) => batch(call, last, call.sim.journal.earliest(everything)) },
  { ...base, path: '/journal/batch/:offset/next/:count', handle: (call) => batch(call, first, after(call)) },
  { ...base, method: 'POST', path: '/journal/batch/read', handle: batchRead },
  { method: 'GET', path: '/journal-files/:offset', auth: 'none', handle: download },
];
