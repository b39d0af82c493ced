import { answer, type Answer } from '../http/answer';
import { BadInput, controlBody, pattern } from './control-input';
import type { ControlCall, ControlRoute } from './control-call';

const fields = [
  'portal_id',
  'method',
  'path',
  'body_contains',
  'status',
  'headers',
  'body',
  'delay_ms',
  'drop',
  'after_write',
  'times',
  'probability',
];

function readHeaders(given: Record<string, unknown> | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (typeof value !== 'string' && typeof value !== 'number') throw new BadInput('headers', `${name} must be text`);
    headers[name] = String(value);
  }
  return headers;
}

/** A fault with neither status nor drop is only a delay; with a body or after_write and without a status it is a 500. */
function add({ sim, body: given }: ControlCall): Answer {
  const body = controlBody(given, fields);
  const drop = body.flag('drop') ?? false;
  const afterWrite = body.flag('after_write') ?? false;
  const delayMs = body.number('delay_ms', { min: 0, max: 600_000 }) ?? 0;
  const status = body.number('status', { min: 200, max: 599 });
  const path = body.text('path');
  const mustFail = !drop && status === undefined && (afterWrite || body.raw('body') !== undefined || delayMs === 0);
  const faultId = sim.faults.add({
    portalId: body.portalId(),
    method: body.text('method')?.toUpperCase(),
    path: path === undefined ? undefined : pattern('path', path),
    bodyContains: body.text('body_contains'),
    status: mustFail ? 500 : status,
    headers: readHeaders(body.object('headers')),
    body: body.raw('body'),
    delayMs, drop, afterWrite,
    probability: body.number('probability', { min: 0, max: 1, integer: false }) ?? 1,
    left: body.number('times', { min: 1 }),
  });
  return answer(200, { fault_id: faultId });
}

function remove({ sim, params }: ControlCall): Answer {
  const id = params['fault_id']!;
  return sim.faults.remove(id) ? answer(200, { deleted: 1 }) : answer(404, { message: `no fault ${id}`, field: 'fault_id' });
}

/** The fault routes (docs/reference/crm-simulator.md, Faults). */
export const faultControl: readonly ControlRoute[] = [
  { method: 'POST', path: '/_sim/faults', handle: add },
  { method: 'DELETE', path: '/_sim/faults', handle: ({ sim }) => answer(200, { deleted: sim.faults.clear() }) },
  { method: 'DELETE', path: '/_sim/faults/:fault_id', handle: remove },
];
