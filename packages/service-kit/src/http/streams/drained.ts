import type { ServerResponse } from 'node:http';

/**
 * Waits until an answer takes bytes again. One whose caller reads nothing for `idleMs` is cut.
 * @returns `open`: it takes bytes; `closed`: it is over; `stalled`: it was cut
 */
export function drained(response: ServerResponse, idleMs: number): Promise<'open' | 'closed' | 'stalled'> {
  if (response.closed) return Promise.resolve('closed');
  if (!response.writableNeedDrain) return Promise.resolve('open');
  return new Promise((resolve) => {
    const end = (state: 'open' | 'closed' | 'stalled') => (): void => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      if (state === 'stalled') response.destroy();
      resolve(state);
    };
    const [onDrain, onClose] = [end('open'), end('closed')];
    const timer = setTimeout(end('stalled'), idleMs);
    response.once('drain', onDrain).once('close', onClose);
  });
}
