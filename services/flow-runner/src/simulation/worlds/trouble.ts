/**
 * The chance of each kind of fault, per act of a storm. `deaf`: a process loses the broker and keeps the database; `outage`: all
 * processes lose the database; `restore`: a copy of the database is taken, or it is put back to the copy; `reorder`: a
 * connector's ordering is changed; `vanish`: another client deletes a record in the CRM; `portal`: a portal of the CRM fails
 * every call; `clock`: somebody sets the wall clock of a process; `blackout`: all processes die at once.
 */
export const usualChances = {
  kill: 0.03,
  cut: 0.02,
  deaf: 0.02,
  stop: 0.02,
  freeze: 0.02,
  outage: 0.02,
  restore: 0.015,
  pause: 0.04,
  version: 0.03,
  reorder: 0.03,
  replay: 0.06,
  rebind: 0.015,
  delete: 0.008,
  vanish: 0.04,
  portal: 0.02,
  clock: 0.03,
  blackout: 0.008,
};

export type Trouble = keyof typeof usualChances;

export const troubles = Object.keys(usualChances) as Trouble[];
