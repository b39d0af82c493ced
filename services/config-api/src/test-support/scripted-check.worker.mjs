/** Stands in for the worker of config checks: answers each job with what `workerData.code` makes of its `text` and of `shared`. */
import { parentPort, threadId, workerData } from 'node:worker_threads';

const answer = new Function('text', 'shared', 'thread', workerData.code);
parentPort.on('message', ({ text }) => parentPort.postMessage({ kind: 'checked', problems: answer(text, workerData.shared, threadId) }));
parentPort.postMessage({ kind: 'ready' });
