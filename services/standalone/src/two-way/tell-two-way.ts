import type { Story } from '../story/create-story';
import { textTable } from '../story/text-table';
import type { SideEdit } from './both-sides';
import { type EndState, isSame } from './until-equal';

export interface TwoWayEnd extends EndState {
  edits: readonly SideEdit[];
  seconds: number;
}

/** The customers of both sides, whether they are equal, and whether traffic stopped. */
export function tellTwoWay(story: Story, { crm, edits, isEqual, isQuiet, puts, seconds, shop }: TwoWayEnd): void {
  const inShop = new Map(shop.map((customer) => [customer.email, customer]));
  const emails = [...new Set([...inShop.keys(), ...crm.customers.keys()])].sort();
  const of = (side: SideEdit['side'], email: string): number =>
    edits.filter((edit) => edit.side === side && edit.change.email === email).length;
  const rows = emails.map((email) => {
    const [one, other] = [inShop.get(email), crm.customers.get(email)];
    const [name, phone] = (['name', 'phone'] as const).map((field) =>
      (one?.[field] === other?.[field] ? (one?.[field] ?? '') : `${one?.[field] ?? '-'} / ${other?.[field] ?? '-'}`));
    return [email, of('shop', email), of('crm', email), name!, phone!, isSame(one, other) ? 'yes' : 'NO'];
  });
  textTable(['customer', 'edits in the shop', 'edits in the CRM', 'name', 'phone', 'equal'],
    rows).forEach((line) => story.tell(line));
  const equal = rows.filter((row) => row.at(-1) === 'yes').length;
  story.tell(isEqual
    ? `  All ${rows.length} customers are equal in the shop and in the CRM.`
    : `  Only ${equal} of ${rows.length} customers are equal; after ${Math.round(seconds)} s the demo does not wait any longer.`);
  const by = (side: SideEdit['side']): number => edits.filter((edit) => edit.side === side).length;
  const sent = `${crm.writes} writes to the CRM after ${by('shop')} edits in the shop, ${puts} requests to the shop after ${by('crm')} edits in the CRM`;
  story.tell(isQuiet ? `  Traffic has stopped: ${sent}.` : `  Traffic has not stopped yet: ${sent}.`);
}

/** Lines to copy. */
export function tellHowToEdit(story: Story, { shopUrl, crmUrl, portalId }: {
  shopUrl: string; crmUrl: string; portalId: number }): void {
  story.tell(`  Edit a customer in the shop, then look at the CRM; what you edit in the CRM reaches the shop when its journal is read next:
  curl -s -X PATCH ${shopUrl}/customers/ada@two-way.example -H 'content-type: application/json' -d '{"phone":"+49 30 1"}'
  curl -s '${crmUrl}/_sim/records?portal_id=${portalId}&object_type=contacts&property=email&value=ada@two-way.example'
  curl -s ${shopUrl}/customers`);
}
