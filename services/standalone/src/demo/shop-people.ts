import type { SeededRandom } from '@sluice/seeded-random';
import { cities, companies, firstNames, lastNames } from './shop-words';

/** A customer as the shop knows them: `email` and `phone` as people type them. */
export interface ShopCustomer {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  phone: string;
  city: string;
}

/** The office a customer orders for. The shop knows its web site, as people type it. */
export interface ShopCompany {
  name: string;
  website: string;
  city: string;
}

export interface ShopPerson {
  customer: ShopCustomer;
  company: ShopCompany | null;
}

const officeShare = 0.45;

/** Different people, some of them of the same companies. Every address is of a domain that is reserved for examples. */
export function shopPeople(random: SeededRandom, count: number): ShopPerson[] {
  const offices = companies.map(([name, host]) => ({
    company: { name, website: writtenSite(random, `${host}.example`), city: random.pick(cities) },
    host,
  }));
  const people: ShopPerson[] = [];
  const taken = new Set<string>();
  while (people.length < count) {
    const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
    const office = random.chance(officeShare) ? random.pick(offices) : null;
    const address = `${plain(first)}.${plain(last)}@${office ? `${office.host}.example` : 'mail.example'}`;
    if (taken.has(address)) continue;
    taken.add(address);
    const email = random.chance(0.15) ? ` ${address.toUpperCase()}` : address;
    people.push({
      customer: {
        id: `C-${1_000 + people.length}`,
        email,
        first_name: first,
        last_name: last,
        phone: writtenPhone(random),
        city: random.pick(cities),
      },
      company: office?.company ?? null,
    });
  }
  return people;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** As it comes out of forms: bare, with www, or a whole address. */
function writtenSite(random: SeededRandom, domain: string): string {
  return random.pick([domain, `www.${domain}`, `https://www.${domain}/`, `http://${domain}/contact`]);
}

function writtenPhone(random: SeededRandom): string {
  const number = random.between(20_000_000, 89_999_999);
  return random.pick([`030 ${number}`, `+49 30 ${number}`, `(030) ${number}`]);
}
