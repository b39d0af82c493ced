import { parseTime } from '../definitions/validate-value';
import { answer } from '../http/answer';
import type { ControlRoute } from './control-call';
import { BadInput, controlBody } from './control-input';

/** Entries of the journal that were published before a time, or stand before an offset, can no longer be read. */
export const journalControl: readonly ControlRoute[] = [
  {
    method: 'POST',
    path: '/_sim/journal/expire',
    handle: ({ sim, body }) => {
      const given = controlBody(body, ['before']).raw('before');
      const before = typeof given === 'string' && sim.journal.file(given) ? given : parseTime(String(given));
      if (before === undefined) throw new BadInput('before', 'must be a time or an offset of the journal');
      return answer(200, { expired: sim.journal.expire(before) });
    },
  },
];
