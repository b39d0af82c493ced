import {
  callFailure, type CallFailure, type CallResult, type FailureCode, type FileDownloads, retryAfterMs, type WallClock,
} from '@sluice/ports';
import type { RestClient, RestFailure, RestResult } from '@sluice/rest-client';

export interface FileDownloadDeps {
  client: Pick<RestClient, 'call'>;
  /** For everything together: name look-up, connection and the whole file. Milliseconds. */
  timeoutMs: number;
  now: WallClock;
}

/** Reads files over HTTP. The client checks the address when it connects, follows no redirect and stops at the bound. */
export function createFileDownloads({ client, timeoutMs, now }: FileDownloadDeps): FileDownloads {
  return {
    read: async (url, { maxBytes }) => {
      const answer = await client.call({ method: 'GET', url }, { timeoutMs, maxBytes });
      return contentOf(answer, hostOf(url), maxBytes, now());
    },
  };
}

/** The part of an address that may be shown: a path or a query may contain a signature. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the address');

/** Why there was no answer, for the step's failure: the client's own messages may contain more of the address than its host. */
const unanswered: Record<Exclude<RestFailure, 'answer_too_large'>, [CallFailure['kind'], FailureCode, string]> = {
  target_refused: [
    'permanent',
    'file_source_refused',
    'may not be called: it is no public http or https address, or holds credentials',
  ],
  not_sent: ['transient', 'file_source_unavailable', 'could not be connected to'],
  no_answer: ['transient', 'file_source_unavailable', 'ended the connection without an answer'],
  timed_out: ['transient', 'file_source_unavailable', 'did not send the file in time'],
  aborted: ['transient', 'file_source_unavailable', 'was not waited for'],
};

function contentOf(answer: RestResult, host: string, maxBytes: number, now: number): CallResult<Buffer> {
  if (!answer.answered) {
    if (answer.reason === 'answer_too_large')
      return callFailure('permanent', 'file_too_large', `the file of ${host} is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`);
    const [kind, code, words] = unanswered[answer.reason];
    return callFailure(kind, code, `${host} ${words}`);
  }
  const { status, headers, body } = answer;
  if (status >= 200 && status < 300) return { ok: true, value: body };
  const message = `${host} answered ${status}`;
  if (status >= 500 || [408, 425, 429].includes(status))
    return callFailure('transient', 'file_source_unavailable', message, retryAfterMs([headers['retry-after']].flat()[0], now));
  return callFailure('permanent', 'file_source_rejected', status < 400 ? `${message}: redirects are not followed` : message);
}
