/** The CRM stand-in as the official client sees it. */
const simulator = 'packages/crm-simulator/src';
const files = { project: 'integration', pattern: 'crm-simulator/src/official-client-files' };
const forms = { project: 'integration', pattern: 'crm-simulator/src/official-client-forms' };

export default [
  {
    name: 'simulator: a form is made with 200', file: `${simulator}/forms/form-routes.ts`,
    find: 'answer(201, made(call', replace: 'answer(200, made(call', notice: forms,
  },
  {
    name: 'simulator: PUT of a form changes only what it names', file: `${simulator}/forms/form-routes.ts`,
    find: "call.method === 'PUT' ? given : {", replace: "false ? given : {", notice: forms,
  },
  {
    name: 'simulator: an archived form takes submissions', file: `${simulator}/forms/submit-routes.ts`,
    find: '!form || form.archived', replace: '!form', notice: forms,
  },
  {
    name: 'simulator: a private file is served without a signature', file: `${simulator}/files/file-links.ts`,
    find: 'needsSignature(file.access) && ', replace: 'false && ', notice: files,
  },
  {
    name: 'simulator: a signed address never expires', file: `${simulator}/files/file-links.ts`,
    find: ' && Number(expires) * 1_000 > sim.now()', replace: '', notice: files,
  },
  {
    name: 'simulator: a replaced file keeps the MD5 of its first bytes', file: `${simulator}/stores/file-store.ts`,
    find: 'changes.bytes ? md5Of(changes.bytes) : file.md5', replace: 'file.md5', notice: files,
  },
  {
    name: 'simulator: a file whose life has ended is still there', file: `${simulator}/stores/file-store.ts`,
    find: 'expiresAt === undefined || expiresAt > now', replace: 'true', notice: files,
  },
  {
    name: 'simulator: a search ignores what it is asked for', file: `${simulator}/files/search-stored.ts`,
    find: '!query.has(name) || one(item, query.get(name)!)', replace: 'true', notice: files,
  },
  {
    name: 'simulator: an import that failed is complete without an error', file: `${simulator}/files/import-file.ts`,
    find: 'task.problem = error instanceof Error ? error.message : String(error);', replace: 'void error;', notice: files,
  },
  {
    name: 'simulator: an area lacks an operation of the official client', file: `${simulator}/files/file-routes.ts`,
    find: "  fileRoute('PUT', '/files/:id', replace),\n", replace: '  // replace\n',
    notice: { project: 'unit', pattern: 'crm-simulator/src/official-client-operations' },
  },
];
