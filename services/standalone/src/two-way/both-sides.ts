import { createSeededRandom } from '@sluice/seeded-random';
import type { CustomerChange } from './demo-shop';

export type Side = 'shop' | 'crm';

/** An edit of a person, in the shop or in the CRM. */
export interface SideEdit {
  side: Side;
  change: CustomerChange;
}

const emailOf = (name: string): string => `${name.toLowerCase()}@two-way.example`;
const named = (names: readonly string[], phone: number): CustomerChange[] =>
  names.map((name, index) => ({ email: emailOf(name), name, phone: `+49 30 ${phone + index}` }));

/** Who begins where: six customers are new in the shop, two in the CRM. */
export const firstEdits: readonly SideEdit[] = [
  ...named(['Ada', 'Bela', 'Cem', 'Dana', 'Emil', 'Fay'], 5_550_100).map((change): SideEdit => ({ side: 'shop', change })),
  ...named(['Gina', 'Hugo'], 5_550_200).map((change): SideEdit => ({ side: 'crm', change })),
];

/** Rounds of edits of random customers on both sides; the same at every call. */
export function editRounds(seed = 21): SideEdit[][] {
  const random = createSeededRandom(seed);
  const emails = firstEdits.map(({ change: { email } }) => email);
  let number = 0;
  const edit = (): SideEdit => {
    number += 1;
    const email = random.pick(emails);
    const side: Side = random.pick(['shop', 'crm'] as const);
    const value = random.chance(0.5) ? { phone: `+49 30 ${5_551_000 + number}` }
      : { name: `${email[0]!.toUpperCase()}. Nr ${number}` };
    return { side, change: { email, ...value } };
  };
  return Array.from({ length: 4 }, () => Array.from({ length: 8 }, edit));
}
