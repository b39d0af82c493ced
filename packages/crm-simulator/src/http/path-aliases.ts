/**
 * The one table of path eras (docs/reference/crm-api.md, Versions and conventions): each published prefix and the canonical
 * prefix its routes are declared under. The canonical prefixes are internal names, never seen on the wire.
 */
const version = '(?:v3|2025-09|2026-03|2026-09)';
const dated = '(?:2025-09|2026-03|2026-09)';
const table: ReadonlyArray<readonly [RegExp, string]> = ([
  ['/crm/v3/objects', '/objects'],
  [`/crm/objects/${version}`, '/objects'],
  ['/crm/v4/objects', '/objects-v4'],
  ['/crm/objects/v4', '/objects-v4'],
  ['/crm/v3/properties', '/properties'],
  [`/crm/properties/${version}`, '/properties'],
  ['/crm/v3/limits', '/limits'],
  [`/crm/limits/${version}`, '/limits'],
  ['/crm/v3/associations', '/associations-v3'],
  ['/crm/associations/v3', '/associations-v3'],
  ['/crm/v4/associations', '/associations'],
  [`/crm/associations/(?:v4|${dated})`, '/associations'],
  [`/crm-object-schemas/${version}/schemas`, '/schemas'],
  ['/crm/v3/schemas', '/schemas'],
  ['/crm/v3/pipelines', '/pipelines'],
  [`/crm/pipelines/${version}`, '/pipelines'],
  ['/crm/v3/owners', '/owners'],
  [`/crm/owners/${version}`, '/owners'],
  [`/account-info/${version}`, '/account-info'],
  ['/oauth/v1', '/oauth-v1'],
  [`/oauth/${version}`, '/oauth-v3'],
  ['/oauth/v2/private-apps', '/private-apps'],
  [`/appinstalls/${version}`, '/appinstalls'],
  [`/webhooks-journal/journal(?:-local)?/(?:v4|${dated})`, '/journal'],
  ['/webhooks/v4/journal', '/journal'],
  [`/webhooks-journal/subscriptions/(?:v4|${dated})`, '/subscriptions'],
  ['/webhooks/v4/subscriptions', '/subscriptions'],
  [`/webhooks-journal/snapshots/(?:v4|${dated})`, '/snapshots'],
  ['/webhooks/v4/snapshots', '/snapshots'],
  [`/files/${version}`, '/files'],
  [`/marketing/${version}/forms`, '/marketing-forms'],
  ['/submissions/v3/integration', '/submissions'],
] as const).map(([prefix, canonical]) => [new RegExp(`^${prefix}(?=/|$)`), canonical] as const);

/** The canonical form of a published path, or the path itself when it has no known prefix. */
export function canonicalPath(path: string): string {
  for (const [pattern, canonical] of table) {
    if (pattern.test(path)) return path.replace(pattern, canonical);
  }
  return path;
}
