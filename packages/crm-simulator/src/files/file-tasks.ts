import { randomUUID } from 'node:crypto';
import { answer, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import type { PortalCall } from '../http/route';
import type { FileStore } from '../stores/file-store';
import type { FileTask } from '../stores/file-task';

/** A task that has just begun. */
export function startTask(files: FileStore): FileTask {
  const task: FileTask = { id: randomUUID(), requestedAt: files.now() };
  files.tasks.set(task.id, task);
  return task;
}

/** A task whose work was done within its request. */
export function finishedTask(files: FileStore, result: () => object): FileTask {
  return Object.assign(startTask(files), { completedAt: files.now(), result });
}

/** The body of a 202: where to ask for the task. */
export function taskLocator({ path, baseUrl }: PortalCall, { id }: FileTask): object {
  return { id, links: { status: `${baseUrl}${path}/tasks/${id}/status` } };
}

/** `GET .../tasks/{taskId}/status`. */
export function showTask({ portal, params }: PortalCall): Answer {
  const task = portal.files.tasks.get(params['task']!) ?? refuse(notFound());
  const iso = (ms: number): string => new Date(ms).toISOString();
  return answer(200, {
    taskId: task.id, status: task.completedAt === undefined ? 'PROCESSING' : 'COMPLETE',
    requestedAt: iso(task.requestedAt), startedAt: iso(task.requestedAt),
    ...(task.completedAt === undefined ? {} : { completedAt: iso(task.completedAt) }),
    ...(task.result ? { result: task.result() } : {}),
    ...(task.problem === undefined ? {} : { numErrors: 1, errors: [failure(task.problem)] }),
  });
}

const failure = (message: string): object =>
  ({ status: 'error', category: 'VALIDATION_ERROR', message, context: {}, links: {}, errors: [] });
