/** Replaces the worker of config checks: answers each job with the result of `workerData.code` for its `text` and `shared`. */
import { parentPort, threadId, workerData } from 'node:worker_threads';

const answer = new Function('text', 'shared', 'thread', workerData.code);
parentPort.on('message', ({ text }) => parentPort.postMessage({ kind: 'checked', problems: answer(text, workerData.shared, threadId) }));
parentPort.postMessage({ kind: 'ready' });
