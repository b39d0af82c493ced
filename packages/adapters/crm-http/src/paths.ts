/**
 * Paths of the CRM's API, in one table: dated versions replace prefixes, bodies stay nearly the same
 * (docs/reference/crm-api.md, Versions and conventions).
 */
/** A name as one part of a path. Half of a surrogate pair has no encoding: it becomes U+FFFD. */
const segment = (name: string): string => encodeURIComponent(Buffer.from(name).toString());

export const crmPaths = {
  batch: (objectType: string, operation: 'read' | 'create' | 'update' | 'upsert' | 'archive'): string =>
    `/crm/v3/objects/${segment(objectType)}/batch/${operation}`,
  search: (objectType: string): string => `/crm/v3/objects/${segment(objectType)}/search`,
  associationTypes: (from: string, to: string): string => `/crm/v4/associations/${segment(from)}/${segment(to)}/labels`,
  associationLimits: (from: string, to: string): string =>
    `/crm/v4/associations/definitions/configurations/${segment(from)}/${segment(to)}`,
  associations: (
    from: string,
    to: string,
    operation: 'create' | 'associate/default' | 'read' | 'archive' | 'labels/archive',
  ): string => `/crm/v4/associations/${segment(from)}/${segment(to)}/batch/${operation}`,
  properties: (objectType: string): string => `/crm/v3/properties/${segment(objectType)}`,
  property: (objectType: string, name: string): string => `/crm/v3/properties/${segment(objectType)}/${segment(name)}`,
  propertiesCreate: (objectType: string): string => `/crm/v3/properties/${segment(objectType)}/batch/create`,
  propertyGroups: (objectType: string): string => `/crm/v3/properties/${segment(objectType)}/groups`,
  schemas: '/crm-object-schemas/v3/schemas',
  schema: (objectType: string): string => `/crm-object-schemas/v3/schemas/${segment(objectType)}`,
  pipelines: (objectType: string): string => `/crm/v3/pipelines/${segment(objectType)}`,
  pipelineStages: (objectType: string, pipelineId: string): string =>
    `/crm/v3/pipelines/${segment(objectType)}/${segment(pipelineId)}/stages`,
  files: '/files/v3/files',
  file: (id: string): string => `/files/v3/files/${segment(id)}`,
  fileAt: (path: string): string =>
    `/files/v3/files/stat/${path
      .split('/')
      .filter((part) => part !== '')
      .map(segment)
      .join('/')}`,
  notes: '/crm/v3/objects/notes',
  note: (id: string): string => `/crm/v3/objects/notes/${segment(id)}`,
  submission: (portalId: string, formId: string): string =>
    `/submissions/v3/integration/secure/submit/${segment(portalId)}/${segment(formId)}`,
  token: '/oauth/v1/token',
  appToken: '/oauth/v3/token',
  journal: '/webhooks-journal/journal/2026-03',
  journalSubscriptions: '/webhooks-journal/subscriptions/2026-03',
  accessToken: (token: string): string => `/oauth/v1/access-tokens/${segment(token)}`,
} as const;
