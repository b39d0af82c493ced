import { RequestQueue } from './kafkajs-internals';

const queues = RequestQueue.prototype as RequestQueue;
const { scheduleCheckPendingRequests: schedule } = queues;

/**
 * kafkajs 2.2.4 sets its next timer also when nothing waits, at a time in the past: each connection wakes its process every
 * millisecond, for as long as it is open (github.com/tulios/kafkajs/issues/1704). A request that has to wait sets the timer
 * itself.
 */
queues.scheduleCheckPendingRequests = function scheduleWhileSomeWait(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
