const store = 'packages/adapters/store-postgres/src/exports';
const worker = 'services/export-worker/src';
const feature = 'services/config-api/src/features/exports';
const pack = 'packages/data-package/src';
const storeSuite = { project: 'integration', pattern: 'store-postgres/src/exports/export-store' };
const snapshotSuite = { project: 'integration', pattern: 'store-postgres/src/exports/export-snapshot' };
const preparing = { project: 'unit', pattern: 'export-worker/src/prepare' };
const links = { project: 'unit', pattern: 'features/exports/package-links' };
const routes = { project: 'integration', pattern: 'features/exports/exports' };
const packages = { project: 'integration', pattern: 'data-package/src' };
const masks = { project: 'unit', pattern: 'data-package/src/mask-secrets' };

export default [
  {
    name: 'exports: the code of a plugin lies in the folder above', file: 'packages/contracts/src/data-package/package-files.ts',
    find: '|^\\.{1,2}$', replace: '', notice: { project: 'unit', pattern: 'contracts/src/data-package/data-package' },
  },
  { name: 'exports: two of a scope at a time', file: `${store}/request-export.ts`, find: 'if (open[0]) return', replace: 'if (open[9]) return', notice: storeSuite },
  { name: 'exports: requests at the same moment pass the bound', file: `${store}/request-export.ts`, find: '  await lockOrganization(tx, organizationId);\n', replace: '', notice: storeSuite },
  { name: 'exports: a failed one does not count', file: `${store}/request-export.ts`, find: "AND created_at > now()", replace: "AND status <> 'failed' AND created_at > now()", notice: storeSuite },
  { name: 'exports: the deletion of a connector leaves packages', file: 'packages/adapters/store-postgres/src/config/connectors/connector-store.ts', find: '        await exportsAfterDeletion(tx, organizationId, id);\n', replace: '', notice: storeSuite },
  { name: 'exports: one that runs is completed with a deleted connector', file: `${store}/create-export-store.ts`, find: "row.generation === generation ? 'go_on' : 'again'", replace: "'go_on'", notice: storeSuite },
  { name: 'exports: a run without its task completes', file: `${store}/create-export-store.ts`, find: '  await assertFence(client, fence);\n  const turn = await turnOf(client, run);\n  if', replace: '  const turn = await turnOf(client, run);\n  if', notice: storeSuite },
  { name: 'exports: a closed organization gets a package', file: `${store}/create-export-store.ts`, find: "found.state === 'closed' ? 'organization_closed'", replace: "found.state === 'never' ? 'organization_closed'", notice: storeSuite },
  { name: 'exports: deleted connectors are exported', file: `${store}/open-export-snapshot.ts`, find: ' AND deleted_at IS NULL', replace: '', notice: snapshotSuite },
  { name: 'exports: not one moment', file: `${store}/open-export-snapshot.ts`, find: 'ISOLATION LEVEL REPEATABLE READ READ ONLY', replace: 'READ ONLY', notice: snapshotSuite },
  { name: 'exports: line breaks in a payload break lines', file: `${store}/line-sql.ts`, find: "translate(${column}::text, E'\\\\n\\\\r', '  ')::json", replace: '${column}', notice: snapshotSuite },
  { name: 'exports: replays are usage', file: `${store}/package-queries.ts`, find: " AND run = 'first'\n  UNION ALL", replace: '\n  UNION ALL', notice: snapshotSuite },
  { name: 'exports: a connector has plugins of all', file: `${store}/plugin-queries.ts`, find: 'if (!scope.isOneConnector) return all;', replace: 'return all;', notice: snapshotSuite },
  { name: 'exports: plugins of all organizations', file: `${store}/plugin-queries.ts`, find: 'p.organization_id = ${scope.organization}', replace: 'true', notice: snapshotSuite },
  { name: 'exports: what plugins stored has no end', file: `${store}/plugin-queries.ts`, find: ' AND (s.expires_at IS NULL OR s.expires_at > now())', replace: '', notice: snapshotSuite },
  { name: 'exports: an old bundle', file: `${store}/plugin-queries.ts`, find: ' AND b.sha256 = p.bundle_sha256', replace: '', notice: snapshotSuite },
  { name: 'exports: a deletion does not stop the writing', file: `${worker}/prepare/preparation.ts`, find: "if (turn !== 'go_on') throw new Stopped(turn);\n  }\n}", replace: '}\n}', notice: preparing },
  { name: 'exports: a run goes on after its process was told to stop', file: `${worker}/prepare/preparation.ts`, find: "run.signal.addEventListener('abort', aborted, { once: true });", replace: '', notice: preparing },
  { name: 'exports: the snapshot stays open', file: `${worker}/prepare/preparation.ts`, find: '    await snapshot.close();\n', replace: '', notice: preparing },
  { name: 'exports: packages that runs left stay', file: `${store}/create-export-store.ts`, find: 'AND k.key IS DISTINCT FROM e.package_key', replace: 'AND false', notice: storeSuite },
  { name: 'exports: a link is good for ever', file: `${feature}/package-links.ts`, find: 'Number(expires) * 1000 > now()', replace: 'true', notice: links },
  { name: 'exports: a link is good for another organization', file: `${feature}/package-links.ts`, find: '[purpose, organizationId, exportId, filename, expires]', replace: '[purpose, exportId, filename, expires]', notice: links },
  { name: 'exports: a link may have more parameters', file: `${feature}/package-links.ts`, find: ' || Object.keys(more).length > 0', replace: '', notice: links },
  { name: 'exports: the package of a closed time is sent', file: `${feature}/get-data-export-package.ts`, find: ' || isOver(found.export))', replace: ')', notice: routes },
  { name: 'exports: a package whose time is over can be linked', file: `${feature}/present-export.ts`, find: "'completed' && isOver(one)", replace: "'completed' && false", notice: routes },
  { name: 'exports: nobody learns that a key took the data', file: `${feature}/post-data-exports.ts`, find: "if (principal.kind === 'key') await", replace: "if (principal.kind === 'user') await", notice: routes },
  { name: 'packages: headers are not masked', file: `${pack}/mask-secrets.ts`, find: '  if (isHeaderMap(name)) return maskedHeaders(value);\n', replace: '', notice: masks },
  { name: 'packages: the password of a URL is not masked', file: `${pack}/mask-secrets.ts`, find: '`$1${maskedValue}@`', replace: "'$&'", notice: masks },
  { name: 'packages: configs go out as they are', file: `${pack}/write/masked-lines.ts`, find: 'return mask ? maskEach(lines, mask) : lines;', replace: 'return mask === undefined ? lines : lines;', notice: packages },
  { name: 'packages: hashes are not compared', file: `${pack}/read/verify-package.ts`, find: "said.sha256 === found.sha256 ? []", replace: 'found.sha256 ? []', notice: packages },
  { name: 'packages: a bomb is unpacked', file: `${pack}/read/package-reader.ts`, find: 'entry.uncompressedSize > allowed ?', replace: 'entry.uncompressedSize < 0 ?', notice: packages },
  { name: 'packages: links pass', file: `${pack}/read/package-reader.ts`, find: "=== linkType) return 'is a link'", replace: "=== typeMask) return 'is a link'", notice: packages },
  { name: 'packages: a file may be there twice', file: `${pack}/read/package-reader.ts`, find: "if (entries.has(entry.fileName)) throw", replace: 'if (entries.has(entry.fileName) && packed < 0) throw', notice: packages },
];
