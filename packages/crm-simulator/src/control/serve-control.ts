import { answer, type Answer } from '../http/answer';
import { createRouter } from '../http/router';
import type { SimulatorState } from '../state/simulator-state';
import { BadInput } from './control-input';
import { editControl } from './edit-control';
import { faultControl } from './fault-control';
import { journalControl } from './journal-control';
import { observeControl } from './observe-control';
import { portalControl } from './portal-control';

const router = createRouter([...portalControl, ...faultControl, ...observeControl, ...editControl, ...journalControl]);

function parseBody(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadInput('body', 'is not JSON');
  }
}

/** Answers one call of the control surface. Bad input is a 400 `{message, field}`. */
export function serveControl(
  sim: SimulatorState,
  request: { method: string; path: string; query: URLSearchParams; bytes: Buffer },
): Answer {
  const match = router.match(request.method, request.path);
  if (!match)
    return answer(router.knowsPath(request.path) ? 405 : 404, { message: `no control route ${request.method} ${request.path}` });
  try {
    return match.route.handle({
      sim,
      params: match.params,
      query: request.query,
      body: parseBody(request.bytes.toString('utf8')),
    });
  } catch (error) {
    if (error instanceof BadInput) return answer(400, { message: error.message, field: error.field });
    throw error;
  }
}
