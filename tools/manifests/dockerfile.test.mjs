import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readJson, root, serviceNames } from '../lib/workspace.mjs';
import { allSteps, last, readDockerfile } from './lib/dockerfile.mjs';

const stages = readDockerfile(join(root, 'infra', 'docker', 'Dockerfile'));
const images = [...serviceNames(), 'crm-simulator'];
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
const healthcheck = join(root, 'infra', 'docker', 'healthcheck.mjs');

describe('infra/docker/Dockerfile', () => {
  it('builds on a Node that is supported, and package.json allows the oldest that runs', () => {
    const text = readFileSync(join(root, 'infra', 'docker', 'Dockerfile'), 'utf8');
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-\w+-slim$/m.exec(text) ?? [];
    assert.equal(major, '24');
    for (const [name, { from }] of stages) assert.ok(from === '${NODE_IMAGE}' || stages.has(from), name);
    assert.equal(readJson('package.json').engines.node, '>=20.19');
  });

  it('has a target for every service', () => {
    for (const name of images) assert.ok(stages.has(name), `no target for ${name}`);
    assert.equal([...stages.keys()].at(-1), 'standalone', 'a build without --target makes everything in one');
  });

  it('fills every image with its own production dependencies, and nothing of the build but them', () => {
    for (const name of images) {
      const copies = allSteps(stages, name).filter(({ word }) => word === 'COPY').map(({ rest }) => rest);
      assert.deepEqual(copies, ['infra/docker/healthcheck.mjs /opt/sluice/healthcheck.mjs', `--from=${name}-files /app /app`]);
      const [deploy] = stages.get(`${name}-files`).steps;
      assert.match(deploy.rest, new RegExp(`--filter @sluice/${name} .*deploy --prod /app`));
      assert.ok(allSteps(stages, name).every(({ rest }) => !/npm install|pnpm|curl|apt-get/.test(rest)), name);
    }
  });

  it('listens on every address of its container, in every image', () => {
    for (const name of [...images, 'standalone']) {
      const given = allSteps(stages, name).filter(({ word }) => word === 'ENV').map(({ rest }) => rest).join(' ');
      assert.match(given, /\bSLUICE_HOST=all\b/, name);
    }
  });

  it('runs as a numbered user, says whether it is well, and lets node be process 1', () => {
    for (const name of images) {
      assert.match(last(stages, name, 'USER'), /^[1-9]\d*:[1-9]\d*$/);
      assert.match(last(stages, name, 'HEALTHCHECK'), name === 'crm-simulator' ? /"\/_sim\/stats"\]$/ : /"\/livez"\]$/);
      assert.deepEqual(JSON.parse(last(stages, name, 'CMD')).slice(0, 2), ['node', 'dist/main.js']);
      assert.equal(last(stages, name, 'ENTRYPOINT'), undefined);
      assert.ok(allSteps(stages, name).some(({ word, rest }) => word === 'LABEL' && rest.includes('org.opencontainers.image.title=')));
    }
  });

  it('leaves the package managers out of what runs', () => {
    const [removal] = stages.get('runtime').steps.filter(({ word, rest }) => word === 'RUN' && rest.startsWith('rm -rf '));
    for (const path of ['/usr/local/lib/node_modules', ...['npm', 'npx', 'corepack', 'yarn'].map((name) => `/usr/local/bin/${name}`)]) assert.ok(removal?.rest.split(' ').includes(path), path);
  });

  it('copies what exists, and the context does not leave it out', () => {
    for (const { steps } of stages.values()) {
      for (const { rest } of steps.filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))) {
        for (const source of rest.split(' ').slice(0, -1)) {
          assert.ok(existsSync(join(root, source)), source);
          const parent = source.split('/')[0];
          assert.ok(!ignored.includes(parent) || ignored.includes(`!${source}`), `${source} is ignored`);
        }
      }
    }
    for (const pattern of ['**/node_modules', '**/dist', '.git', '.env']) assert.ok(ignored.includes(pattern), pattern);
  });

  it('needs the pnpm that the workspace pins', () => {
    assert.match(readJson(join(root, 'package.json')).packageManager, /^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
    assert.ok(stages.get('build').steps.some(({ rest }) => rest.includes('corepack enable')));
    assert.ok(stages.get('build').steps.some(({ rest }) => rest.includes('pnpm install --frozen-lockfile')));
  });
});

describe('infra/docker/healthcheck.mjs', () => {
  const check = async (port) => {
    const child = spawn(process.execPath, [healthcheck, 'PORT_OF_TEST', '/livez'], { env: { PORT_OF_TEST: String(port) }, stdio: 'ignore' });
    return (await once(child, 'exit'))[0];
  };

  it('is content with 200 alone', async (context) => {
    let status = 200;
    const server = createServer((request, response) => response.writeHead(request.url === '/livez' ? status : 404).end()).listen(0, '127.0.0.1');
    context.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address();
    assert.equal(await check(port), 0);
    status = 503;
    assert.equal(await check(port), 1);
    const closed = once(server, 'close');
    server.close();
    await closed;
    assert.equal(await check(port), 1);
  });
});
