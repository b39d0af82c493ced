import type { ActionLimit, BoundedCall, PortLimit } from './action-limit';
import type { ActionPorts } from './action-ports';

type Bound = (ports: Partial<ActionPorts>, limit: PortLimit, action: string) => Partial<ActionPorts>;

/** A port of which some calls are others. */
const changed = <Port extends object>(port: Port, calls: Partial<Port>): Port =>
  Object.assign(Object.create(port) as Port, calls);

/** How each call gets the number that its action declares. */
const bounds: Record<BoundedCall, Bound> = {
  associated_records: ({ crm }, { max }) =>
    crm ? { crm: changed(crm, { associated: (request) => crm.associated({ ...request, limit: max }) }) } : {},
  attachment_notes: ({ files }, { max }) =>
    files
      ? { files: changed(files, { deleteAttachments: (request) => files.deleteAttachments({ ...request, notes: max }) }) }
      : {},
  answer: ({ rest }, { max }) =>
    rest ? { rest: changed(rest, { send: (request) => rest.send({ ...request, timeoutMs: max }) }) } : {},
  // The number is a setting of the port: the port refuses, and the names of action and limit are added to the refusal.
  file: ({ files }, limit, action) =>
    files ? { files: changed(files, { upload: async (request) => named(await files.upload(request), limit, action) }) } : {},
  // The number is a setting of the port.
  download: () => ({}),
};

function named<Answer extends { ok: true } | { ok: false; code: string; message: string }>(
  answer: Answer,
  { id }: PortLimit,
  action: string,
): Answer {
  if (answer.ok || answer.code !== 'file_too_large') return answer;
  return { ...answer, message: `${action}: ${answer.message} (limit '${id}')` };
}

/** The ports of an action as its limits let it use them; what it gives is made of the ports of an attempt. */
export function portLimiter<Ports extends Partial<ActionPorts>>(
  { name, limits }: { name: string; limits: readonly ActionLimit[] },
): (ports: Ports) => Ports {
  const ofPorts = limits.filter((limit) => limit.on === 'port');
  if (ofPorts.length === 0) return (ports) => ports;
  return (ports) => ofPorts.reduce((limited, limit) => ({ ...limited, ...bounds[limit.call](limited, limit, name) }), ports);
}
