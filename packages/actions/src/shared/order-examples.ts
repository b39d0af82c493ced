import type { Entity } from '@sluice/contracts';

/** The entities that the examples of the actions share: a shop's customers, companies and orders. */
export const contactEntity: Entity = {
  name: 'contact',
  schemas: {
    crm: {
      object_type: 'contacts',
      identity: { strategy: 'match_or_create', property: 'email' },
      field_mappings: [
        { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
        { source: '$.payload.first_name', target: 'firstname' },
      ],
    },
  },
};

export const companyEntity: Entity = {
  name: 'company',
  schemas: {
    crm: {
      object_type: 'companies',
      identity: { strategy: 'match_or_create', property: 'domain' },
      field_mappings: [{ source: '$.payload.company.domain', target: 'domain', transform: ['normalize_domain'] }],
    },
  },
};

/** A federated entity: the shop's form becomes the canonical one, which becomes that of an ERP. */
export const canonicalContact: Entity = {
  name: 'contact',
  schemas: {
    canonical: {
      field_mappings: [
        { source: '$.payload.email', target: '$.canonical.email', transform: ['normalize_email'] },
        { source: '$.payload.first_name', target: '$.canonical.name.first' },
      ],
    },
    erp: { field_mappings: [{ source: '$.canonical.email', target: 'mail_address' }] },
    newsletter: { field_mappings: [{ source: '$.payload.email', target: 'address' }] },
  },
};

/** A contact of the CRM, and how the ERP wants it. */
export const shopContact: Entity = {
  name: 'contact',
  schemas: {
    crm: { object_type: 'contacts' },
    erp: {
      field_mappings: [
        { source: '$.payload.object.properties.email', target: 'mail_address' },
        { source: '$.payload.object.properties.firstname', target: 'first_name' },
      ],
    },
  },
};
