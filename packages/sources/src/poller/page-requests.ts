import { compileDocumentPath, type DocumentPath } from '@sluice/flow-engine';
import { type PageAnswer, SourceReadError } from '../polled-source';
import { nextLink } from './next-link';
import type { PollerConfig } from './poller-config';

/** One request of a poll. */
export interface PageRequest {
  url: string;
  /** Page or offset where pages are counted, else 0. */
  at: number;
  /** Cursor of the page; null: it has none. */
  cursor: string | null;
}

/** A page that was answered. */
export interface AnsweredPage {
  request: PageRequest;
  answer: PageAnswer;
  /** Elements in it, and in the first page of the poll. */
  count: number;
  firstCount: number;
}

/** Which pages a poll asks for. */
export interface PageRequests {
  /** @param saved the value that was saved last; null: none */
  first(saved: string | null): PageRequest;
  /** null: that was the last page. Throws SourceReadError. */
  next(page: AnsweredPage): PageRequest | null;
  /** Whether an answer with this status to a further page says that there is none. */
  isPastTheEnd(status: number): boolean;
}

type Pagination = NonNullable<PollerConfig['pagination']>;

/** Compiles how the pages of a poller are asked for (docs/reference/sources.md, Pollers). */
export function compilePageRequests({ url, pagination, cursor }: PollerConfig): PageRequests {
  const path = pagination?.path === undefined ? null : compileDocumentPath(pagination.path);
  const counted = pagination?.type === 'page' || pagination?.type === 'offset' ? pagination : null;
  const start = counted ? (counted.start ?? (counted.type === 'page' ? 1 : 0)) : 0;
  const urlOf = (saved: string | null, more: Readonly<Record<string, string>>): string => {
    const parameters: Record<string, string> = { ...more };
    if (cursor && saved !== null) parameters[cursor.param] = saved;
    if (pagination?.size_param !== undefined && pagination.size !== undefined)
      parameters[pagination.size_param] = String(pagination.size);
    if (counted) parameters[counted.param ?? counted.type] ??= String(start);
    return withParameters(url, parameters);
  };
  let savedOfPoll: string | null = null;
  return {
    first: (saved) => {
      savedOfPoll = saved ?? cursor?.initial ?? null;
      return { url: urlOf(savedOfPoll, {}), at: start, cursor: null };
    },
    next: (page) => (pagination ? nextRequest(pagination, path, page, (more) => urlOf(savedOfPoll, more)) : null),
    isPastTheEnd: (status) => counted !== null && status === 404,
  };
}

function nextRequest(
  pagination: Pagination, path: DocumentPath | null, page: AnsweredPage, urlOf: (more: Record<string, string>) => string,
): PageRequest | null {
  const { answer, request } = page;
  switch (pagination.type) {
    case 'link_header':
      return following(request, nextLink(answer.headers['link'] ?? ''));
    case 'next_url':
      return following(request, path?.first(answer.body));
    case 'cursor': {
      const value = textOf(path?.first(answer.body));
      if (value === null) return null;
      if (value === request.cursor) throw new SourceReadError('the cursor of the next page is that of the page itself');
      return { url: urlOf({ [pagination.param ?? 'cursor']: value }), at: 0, cursor: value };
    }
    case 'page':
    case 'offset': {
      if (page.count === 0 || page.count < page.firstCount) return null;
      const at = request.at + (pagination.type === 'page' ? 1 : page.count);
      return { url: urlOf({ [pagination.param ?? pagination.type]: String(at) }), at, cursor: null };
    }
  }
}

/** Credentials go to the origin of `url` only, whatever an answer names. */
function following({ url }: PageRequest, given: unknown): PageRequest | null {
  const text = textOf(given);
  if (text === null) return null;
  if (!URL.canParse(text, url)) throw new SourceReadError('the URL of the next page is none');
  const next = new URL(text, url);
  if (next.origin !== new URL(url).origin)
    throw new SourceReadError(`the next page is at another host (${next.origin}): it is not called`);
  if (next.href === url) throw new SourceReadError('the URL of the next page is that of the page itself');
  return { url: next.href, at: 0, cursor: null };
}

/** null for what says that there is no next page. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  if (Object.keys(parameters).length === 0) return url;
  const whole = new URL(url);
  for (const [name, value] of Object.entries(parameters)) whole.searchParams.set(name, value);
  return whole.href;
}
