import type { RouteContract } from '@sluice/contracts';
import type { Request, Response } from 'express';
import { callerNetwork } from '../request/caller-address';
import { eventCheck } from './check-answer';
import type { RouteReply } from './implement-route';
import { stateOf } from '../request/request-state';
import { openStreamsOf } from '../streams/open-streams';
import { sendEvents } from '../streams/send-events';
import { sendFile } from '../streams/send-file';
import type { StreamProgress } from '../streams/stream-reply';

/** Sends a reply that is a stream, and notes in the request's log line how far it came and how it ended. */
export type SendStream = (request: Request, response: Response, reply: RouteReply) => Promise<void>;

/** @param validateAnswers for tests: an event against its contract breaks the stream */
export function sendStream(contract: RouteContract, validateAnswers: boolean): SendStream {
  const check = validateAnswers ? eventCheck(contract) : undefined;
  return async (request, response, { status, file, events }) => {
    const { contentType = 'application/octet-stream', stream: kind } = contract.answers[status] ?? {};
    if (kind !== (file ? 'file' : 'events'))
      throw new Error(`route ${contract.name} answered ${status} with a stream that its contract does not name`);
    const { address, wide, logger } = stateOf(response);
    const streams = openStreamsOf(request);
    const { idleMs, heartbeatMs } = streams.limits;
    const stream = streams.enter(request.socket, callerNetwork(address));
    const progress: StreamProgress = { sent: 0, end: 'caller_left' };
    response.prependOnceListener('close', () => {
      stream.leave();
      wide.add({ stream: progress.end, [file ? 'bytes_sent' : 'events_sent']: progress.sent });
    });
    try {
      if (file) await sendFile(request, response, file, { contentType, idleMs, progress });
      else if (events) {
        const checked = check ? check(events) : events;
        await sendEvents(response, checked, { heartbeatMs, idleMs, stopping: streams.stopping, progress });
      }
    } catch (error) {
      if (!response.headersSent) {
        stream.leave();
        throw error;
      }
      logger.error('stream broke', { error });
    }
  };
}
