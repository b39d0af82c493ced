import { setTimeout as sleep } from 'node:timers/promises';
import type { CrmCustomers } from './crm-side';
import type { Customer } from './demo-shop';

/** Both sides at one moment. */
export interface BothSides {
  shop: readonly Customer[];
  /** PUT requests that the shop got. */
  puts: number;
  crm: CrmCustomers;
}

export interface UntilEqualOptions {
  read(): Promise<BothSides>;
  /** Has the change journal of the CRM read once. Resolves when that was done. */
  pollJournal(): Promise<void>;
  /** Events that are accepted and have not ended. */
  inFlight(): Promise<number>;
  timeoutMs: number;
}

/** What both sides hold at the end. */
export interface EndState extends BothSides {
  /** Nothing was sent any more, and nothing was under way. */
  isQuiet: boolean;
  isEqual: boolean;
}

/** Readings of the journal in a row that must bring nothing new. */
const quietPolls = 3;
const pauseMs = 300;

/** Waits until both sides are equal and traffic has stopped, or the time is over. */
export async function untilEqual({ inFlight, pollJournal, read, timeoutMs }: UntilEqualOptions): Promise<EndState> {
  const deadline = performance.now() + timeoutMs;
  let [seen, quiet] = ['', 0];
  for (;;) {
    await pollJournal();
    await sleep(pauseMs);
    const [now, waiting] = [await read(), await inFlight()];
    const text = JSON.stringify([now.puts, now.crm.writes, now.shop, [...now.crm.customers]]);
    quiet = text === seen && waiting === 0 ? quiet + 1 : 0;
    seen = text;
    const [isQuiet, isEqual] = [quiet >= quietPolls, areEqual(now)];
    if ((isQuiet && isEqual) || performance.now() > deadline) return { ...now, isQuiet, isEqual };
  }
}

/** Whether both sides have the same customers with the same values. */
export function areEqual({ crm: { customers }, shop }: Pick<BothSides, 'shop' | 'crm'>): boolean {
  return shop.length === customers.size && shop.every((customer) => isSame(customer, customers.get(customer.email)));
}

export const isSame = (one: Customer | undefined, other: Customer | undefined): boolean =>
  one !== undefined && other !== undefined && one.email === other.email && one.name === other.name && one.phone === other.phone;
