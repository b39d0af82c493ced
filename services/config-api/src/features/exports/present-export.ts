import type { DataExport } from '@sluice/ports';

/** Whether the time of a package is over. Who sweeps packages may not have deleted it yet. */
export const isOver = ({ expiresAt }: Pick<DataExport, 'expiresAt'>): boolean => expiresAt !== null
  && expiresAt.getTime() <= Date.now();

/** An export as it is at this moment: a completed one is expired as soon as its time is over. */
export const presentExport = (one: DataExport): DataExport =>
  one.status === 'completed' && isOver(one) ? { ...one, status: 'expired', packageKey: null } : one;
