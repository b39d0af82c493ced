import type { ObjectType } from '../model/object-types';
import { propertyDefinition, type PropertyDefinition, type ValueRule } from './property-definition';

/**
 * Properties the CRM defines itself, in a short notation: `name[:kind][=option|option]`, `!` in front for read-only values.
 * Kinds: text (default), area, phone, number, date, datetime, bool, select, radio, checkbox, owner, pipeline, stage, email,
 * lifecycle.
 */
const everywhere = 'hubspot_owner_id:owner hs_unique_creation_key !hs_object_id:number !hs_merged_object_ids:checkbox !hs_object_source !hs_object_source_label '
  + '!hs_object_source_id !hs_created_by_user_id:number !hs_updated_by_user_id:number !hs_was_imported:bool !hs_read_only:bool !hubspot_owner_assigneddate:datetime '
  + '!hubspot_team_id !hs_all_owner_ids !hs_all_team_ids !hs_user_ids_of_all_owners';

const lifecycle =
  'lifecyclestage:lifecycle=subscriber|lead|marketingqualifiedlead|salesqualifiedlead|opportunity|customer|evangelist|other';
const industries = 'ACCOUNTING|APPAREL_FASHION|AUTOMOTIVE|BANKING|COMPUTER_SOFTWARE|CONSUMER_GOODS|CONSUMER_SERVICES|E_LEARNING|EDUCATION_MANAGEMENT|FINANCIAL_SERVICES|'
  + 'FOOD_BEVERAGES|FURNITURE|HOSPITAL_HEALTH_CARE|HOSPITALITY|INFORMATION_TECHNOLOGY_AND_SERVICES|INSURANCE|INTERNET|LUXURY_GOODS_JEWELRY|MARKETING_AND_ADVERTISING|'
  + 'RETAIL|SPORTING_GOODS|SUPERMARKETS|TRANSPORTATION_TRUCKING_RAILROAD|WHOLESALE';
const address = 'address address2 city state zip country';
const engagement = 'hs_timestamp:datetime hs_attachment_ids hs_body_preview:area';
const money = 'hs_currency_code amount:number';

const byType: Readonly<Record<string, string>> = {
  '0-1':
    `email:email firstname lastname phone:phone mobilephone:phone fax company website jobtitle ${address} ${lifecycle} ` +
    'hs_lead_status:radio=NEW|OPEN|IN_PROGRESS|OPEN_DEAL|UNQUALIFIED|ATTEMPTED_TO_CONTACT|CONNECTED|BAD_TIMING salutation date_of_birth gender hs_language ' +
    'industry annualrevenue numemployees message:area hs_persona twitterhandle hs_linkedin_url closedate:datetime hs_whatsapp_phone_number:phone ' +
    'hs_timezone associatedcompanyid:number !hs_additional_emails:checkbox !hs_email_domain !hs_full_name_or_email !hs_calculated_merged_vids ' +
    '!num_associated_deals:number !hs_lifecyclestage_lead_date:datetime !hs_lifecyclestage_customer_date:datetime',
  '0-2':
    `name domain hs_additional_domains website phone:phone industry:select=${industries} ${address} numberofemployees:number annualrevenue:number description:area ` +
    `${lifecycle} founded_year type:radio=PROSPECT|PARTNER|RESELLER|VENDOR|OTHER timezone linkedin_company_page twitterhandle hs_lead_status:radio=NEW|OPEN|IN_PROGRESS ` +
    'hs_parent_company_id:number about_us:area !num_associated_contacts:number !num_associated_deals:number',
  '0-3':
    'dealname amount:number pipeline:pipeline dealstage:stage closedate:datetime dealtype:radio=newbusiness|existingbusiness deal_currency_code description:area ' +
    'hs_priority:select=low|medium|high closed_lost_reason:area closed_won_reason:area hs_next_step !amount_in_home_currency:number !hs_is_closed:bool ' +
    '!hs_is_closed_won:bool !hs_deal_stage_probability:number !num_associated_contacts:number !days_to_close:number hs_tcv:number hs_arr:number hs_mrr:number',
  '0-5':
    'subject content:area hs_pipeline:pipeline hs_pipeline_stage:stage hs_ticket_priority:select=LOW|MEDIUM|HIGH|URGENT ' +
    'hs_ticket_category:checkbox=PRODUCT_ISSUE|BILLING_ISSUE|FEATURE_REQUEST|GENERAL_INQUIRY source_type:select=CHAT|EMAIL|FORM|PHONE hs_resolution:checkbox=ISSUE_FIXED|OTHER ' +
    '!hs_ticket_id:number closed_date:datetime',
  '0-7':
    'name description:area price:number hs_sku hs_cost_of_goods_sold:number hs_recurring_billing_period recurringbillingfrequency:select=monthly|quarterly|annually hs_url hs_images ' +
    'hs_product_type:select=inventory|non_inventory|service hs_price_eur:number hs_price_usd:number hs_price_gbp:number tax:number',
  '0-8':
    'name description:area quantity:number price:number !amount:number hs_product_id:number hs_sku hs_discount_percentage:number discount:number hs_line_item_currency_code ' +
    'recurringbillingfrequency:select=monthly|quarterly|annually hs_recurring_billing_period hs_cost_of_goods_sold:number tax:number hs_url hs_position_on_quote:number',
  '0-14':
    'hs_title hs_expiration_date:datetime hs_status:select=DRAFT|APPROVAL_NOT_NEEDED|PENDING_APPROVAL|APPROVED|REJECTED hs_quote_amount:number hs_currency hs_language hs_terms:area',
  '0-18': `${engagement} hs_communication_channel_type:select=WHATS_APP|LINKEDIN_MESSAGE|SMS hs_communication_logged_from:select=CRM hs_communication_body:area`,
  '0-27': `${engagement} hs_task_subject hs_task_body:area hs_task_status:select=NOT_STARTED|IN_PROGRESS|WAITING|COMPLETED|DEFERRED hs_task_priority:select=NONE|LOW|MEDIUM|HIGH hs_task_type:select=TODO|CALL|EMAIL`,
  '0-46': `${engagement} hs_note_body:area`,
  '0-47': `${engagement} hs_meeting_title hs_meeting_body:area hs_meeting_start_time:datetime hs_meeting_end_time:datetime hs_meeting_outcome:select=SCHEDULED|COMPLETED|RESCHEDULED|NO_SHOW|CANCELED hs_meeting_location`,
  '0-48': `${engagement} hs_call_title hs_call_body:area hs_call_duration:number hs_call_direction:select=INBOUND|OUTBOUND hs_call_disposition hs_call_status:select=COMPLETED|BUSY|FAILED|NO_ANSWER|QUEUED hs_call_from_number hs_call_to_number`,
  '0-49': `${engagement} hs_email_subject hs_email_text:area hs_email_html:area hs_email_direction:select=EMAIL|INCOMING_EMAIL|FORWARDED_EMAIL hs_email_status:select=SENT|SENDING|FAILED|BOUNCED|SCHEDULED hs_email_headers:area`,
  '0-53': `${money} hs_title hs_invoice_date:datetime hs_due_date:datetime hs_number hs_invoice_status:select=draft|open|paid|voided hs_amount_billed:number hs_balance_due:number`,
  '0-69': `hs_name hs_status hs_currency_code hs_recurring_revenue:number hs_start_date:date hs_next_billing_date:date`,
  '0-116': `${engagement} hs_postal_mail_body:area`,
  '0-123':
    'hs_order_name hs_external_order_id hs_external_order_status hs_currency_code hs_total_price:number hs_subtotal_price:number hs_tax:number hs_shipping_cost:number ' +
    'hs_order_discount:number hs_pipeline:pipeline hs_pipeline_stage:stage hs_fulfillment_status hs_payment_status hs_source_store hs_external_created_date:datetime hs_billing_address_city hs_shipping_address_city hs_tags',
  '0-136':
    'hs_lead_name hs_lead_type:select=NEW_BUSINESS|RE_ATTEMPTING|UPSELL hs_lead_label:select=HOT|WARM|COLD hs_pipeline:pipeline hs_pipeline_stage:stage',
  '0-142':
    'hs_cart_name hs_external_cart_id hs_external_status hs_currency_code hs_total_price:number hs_cart_url hs_source_store',
};

/** Common to types without a list of their own. */
const otherwise = 'hs_name name:text hs_external_id hs_status amount:number hs_value:number hs_label hs_type';

const kinds: Readonly<Record<string, readonly [type: string, fieldType: string, rule?: ValueRule]>> = {
  text: ['string', 'text'],
  area: ['string', 'textarea'],
  phone: ['string', 'phonenumber'],
  number: ['number', 'number'],
  date: ['date', 'date'],
  datetime: ['datetime', 'date'],
  bool: ['bool', 'booleancheckbox'],
  select: ['enumeration', 'select'],
  radio: ['enumeration', 'radio'],
  checkbox: ['enumeration', 'checkbox'],
  owner: ['enumeration', 'select', 'owner'],
  pipeline: ['enumeration', 'select', 'pipeline'],
  stage: ['enumeration', 'radio', 'stage'],
  email: ['string', 'text', 'email'],
  lifecycle: ['enumeration', 'radio', 'lifecycle'],
};

export const boolOptions = [
  { label: 'Yes', value: 'true', displayOrder: 0, hidden: false },
  { label: 'No', value: 'false', displayOrder: 1, hidden: false },
];

const words = (name: string): string =>
  name
    .replace(/^hs_/, '')
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

function parseEntry(entry: string, groupName: string, createdAt: number): PropertyDefinition {
  const [head = '', options] = entry.split('=');
  const readOnlyValue = head.startsWith('!');
  const [name = '', kind = 'text'] = head.slice(readOnlyValue ? 1 : 0).split(':');
  const [type, fieldType, rule] = kinds[kind] ?? (() => { throw new Error(`unknown property kind in "${entry}"`); })();
  const listed = options
    ?.split('|')
    .map((value, displayOrder) => ({ label: words(value.toLowerCase()), value, displayOrder, hidden: false }));
  return propertyDefinition({
    name, label: words(name), type, fieldType, groupName, createdAt, rule, readOnlyValue,
    calculated: readOnlyValue,
    hubspotDefined: true,
    hasUniqueValue: rule === 'email',
    formField: rule === 'email' || name === 'firstname' || name === 'lastname',
    externalOptions: rule === 'owner' || rule === 'pipeline' || rule === 'stage',
    referencedObjectType: rule === 'owner' ? 'OWNER' : undefined,
    options: type === 'bool' ? boolOptions : (listed ?? []),
  });
}

/** The definitions a type starts with in a new portal: its own, the shared ones and its two dates. */
export function standardProperties(type: ObjectType, createdAt: number): PropertyDefinition[] {
  const custom = type.id.startsWith('2-');
  const own = custom ? 'hs_pipeline:pipeline hs_pipeline_stage:stage' : (byType[type.id] ?? otherwise);
  const dates = `!${type.createdProperty}:datetime !${type.modifiedProperty}:datetime`;
  return `${own} ${everywhere} ${dates}`
    .split(/\s+/)
    .filter((entry) => entry !== '')
    .map((entry) => parseEntry(entry, type.defaultGroup, createdAt));
}
