import { compileDocumentPath, type DocumentPath, idText, WorkBudget } from '@sluice/flow-engine';
import { type PageAnswer, type PolledSource, type ReadEnd, type Reading, type ReadPage, SourceReadError } from '../polled-source';
import { compileElementsPath } from '../shared/elements-path';
import { namesOf, readElements } from '../shared/read-elements';
import { compileReadEvent, type ReadEvent } from '../shared/read-event';
import { type AnsweredPage, compilePageRequests, type PageRequest, type PageRequests } from './page-requests';
import type { PollerConfig } from './poller-config';

const usualMaxPages = 1_000;

/** What is compiled of a config. */
interface PollReader {
  pages: PageRequests;
  readEvent: ReadEvent;
  itemsPath: DocumentPath | null;
  cursorPath: DocumentPath | null;
  maxPages: number;
}

/** Compiles how a poller is read. */
export function compilePoll(config: PollerConfig, defaultEventType: string): PolledSource['read'] {
  const compiled = (path: string | undefined): DocumentPath | null => (path === undefined ? null : compileDocumentPath(path));
  const reader: Omit<PollReader, 'pages'> = {
    readEvent: compileReadEvent(config, defaultEventType),
    itemsPath: config.items_path === undefined ? null : compileElementsPath(config.items_path),
    cursorPath: compiled(config.cursor?.path),
    maxPages: config.pagination?.max_pages ?? usualMaxPages,
  };
  return (reading) => readPoll({ ...reader, pages: compilePageRequests(config) }, reading);
}

async function* readPoll(reader: PollReader, reading: Reading): AsyncGenerator<ReadPage, ReadEnd> {
  const { maxPages, pages, readEvent } = reader;
  const name = namesOf(reading.tick);
  let request: PageRequest | null = pages.first(savedText(reading.cursor));
  let cursor: string | undefined;
  let firstCount = 0;
  for (let read = 0; request !== null; read += 1) {
    if (read === maxPages) return ended(cursor, `the poll ended after ${maxPages} pages, although there are more`);
    const answer = await pageOf(pages, reading, request, read === 0);
    if (answer === null) break;
    const elements = elementsOf(reader.itemsPath, answer.body);
    if (read === 0) firstCount = elements.length;
    yield* readElements(elements, readEvent, name);
    cursor = cursorOf(reader.cursorPath, answer.body) ?? cursor;
    const page: AnsweredPage = { request, answer, count: elements.length, firstCount };
    request = pages.next(page);
  }
  return ended(cursor);
}

const ended = (cursor: string | undefined, note?: string): ReadEnd =>
  ({ ...(cursor !== undefined && { cursor }), ...(note !== undefined && { note }) });

/** null: there is no further page. */
async function pageOf(
  pages: PageRequests, reading: Reading, { url }: PageRequest, isFirst: boolean,
): Promise<PageAnswer | null> {
  try {
    return await reading.get(url);
  } catch (error) {
    const status = error instanceof SourceReadError ? error.more.status : undefined;
    if (!isFirst && status !== undefined && pages.isPastTheEnd(status)) return null;
    throw error;
  }
}

/** A list is its elements, an object is one; of a path with several matches each match is one. */
function elementsOf(path: DocumentPath | null, body: unknown): unknown[] {
  if (path?.multiple) return path.list(body, new WorkBudget());
  const found = path === null ? body : path.first(body, new WorkBudget());
  if (found === undefined || found === null) return [];
  if (Array.isArray(found)) return found as unknown[];
  if (typeof found === 'object') return [found];
  throw new SourceReadError(path === null ? 'the answer is no object and no list' : 'items_path leads to no list');
}

/** The last value of the path counts: of a page that is sorted by it, that of the last element. */
const cursorOf = (path: DocumentPath | null, body: unknown): string | null =>
  (path === null ? null : idText(path.list(body, new WorkBudget()).at(-1)));

const savedText = (cursor: unknown): string | null => (typeof cursor === 'string' ? cursor : null);
