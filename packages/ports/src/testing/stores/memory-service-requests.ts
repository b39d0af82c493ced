import type { ServiceRequest, ServiceRequestStore } from '../../tasks/service-request-store';

/** Twin of the store of requests between services. */
export function createMemoryServiceRequests(now: () => number = Date.now): ServiceRequestStore {
  const requests = new Map<string, ServiceRequest & { at: number; answered?: { answer: unknown } }>();
  return {
    add: async (request) => void requests.set(request.id, structuredClone({ ...request, at: now() })),
    open: async (id) => {
      const found = requests.get(id);
      return found && !found.answered ? structuredClone({ id, kind: found.kind, body: found.body }) : null;
    },
    answer: async (id, answer) => {
      const found = requests.get(id);
      if (!found || found.answered) return false;
      found.answered = { answer: structuredClone(answer) };
      return true;
    },
    take: async (id) => {
      const answered = requests.get(id)?.answered;
      if (answered) requests.delete(id);
      return answered ?? null;
    },
    remove: async (id) => void requests.delete(id),
    deleteOlder: async (ms) => {
      const old = [...requests.values()].filter(({ at }) => at < now() - ms);
      for (const { id } of old) requests.delete(id);
      return old.length;
    },
  };
}
