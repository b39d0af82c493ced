/** A property of the portal, as far as a suggestion needs it. */
export interface KnownProperty {
  name: string;
  label: string;
  type: string;
  field_type: string;
  options?: { value: string; label?: string }[];
  read_only?: boolean;
}

const text = (name: string, label: string): KnownProperty => ({ name, label, type: 'string', field_type: 'text' });
const number = (name: string, label: string): KnownProperty => ({ name, label, type: 'number', field_type: 'number' });

const contacts = [
  text('email', 'Email'), text('firstname', 'First name'), text('lastname', 'Last name'), text('phone', 'Phone number'),
  text('company', 'Company name'), text('address', 'Street address'), text('city', 'City'), text('zip', 'Postal code'),
  text('country', 'Country/Region'), text('website', 'Website URL'), text('jobtitle', 'Job title'),
];
const companies = [
  text('name', 'Company name'), text('domain', 'Company domain name'), text('phone', 'Phone number'), text('city', 'City'),
  text('zip', 'Postal code'), text('country', 'Country/Region'), text('description', 'Description'),
];
const deals = [
  text('dealname', 'Deal name'), number('amount', 'Amount'), text('description', 'Deal description'),
  { name: 'closedate', label: 'Close date', type: 'datetime', field_type: 'date' },
];
const tickets = [text('subject', 'Ticket name'), text('content', 'Ticket description')];
const products = [text('name', 'Name'), number('price', 'Unit price'), text('description', 'Product description')];
const lineItems = [text('name', 'Name'), number('quantity', 'Quantity'), number('price', 'Unit price')];

const byType: Record<string, KnownProperty[]> = {
  contacts, contact: contacts, companies, company: companies, deals, deal: deals, tickets, ticket: tickets,
  products, product: products, line_items: lineItems, line_item: lineItems,
};

/** The properties that every portal has and that integrations write most; none for other object types. */
export const usualProperties = (objectType: string): KnownProperty[] =>
  Object.hasOwn(byType, objectType) ? byType[objectType]! : [];

/** Other names, without anything but letters and digits, under which systems send what a property holds. */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  email: ['mail', 'emailaddress', 'customeremail', 'useremail'],
  firstname: ['givenname', 'forename', 'first'],
  lastname: ['surname', 'familyname', 'last'],
  phone: ['phonenumber', 'telephone', 'tel', 'mobile', 'mobilephone'],
  company: ['companyname', 'organization', 'organisation'],
  address: ['street', 'streetaddress', 'address1', 'addressline1'],
  zip: ['postalcode', 'postcode', 'zipcode', 'plz'],
  country: ['countrycode', 'countryname'],
  jobtitle: ['title', 'position', 'role'],
  website: ['url', 'homepage', 'site'],
  domain: ['companydomain', 'website', 'homepage'],
  name: ['title', 'companyname', 'productname'],
  dealname: ['name', 'title', 'ordername', 'ordernumber', 'number'],
  amount: ['total', 'totalprice', 'grandtotal', 'price', 'sum'],
  closedate: ['closedat', 'completedat', 'paidat'],
  subject: ['title', 'name'],
  content: ['body', 'message', 'description', 'text'],
  price: ['unitprice', 'amount'],
  quantity: ['qty', 'count'],
  description: ['details', 'summary', 'note'],
};
