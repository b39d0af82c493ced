/** The files of a new adapter, by path inside its folder. */
import { camel } from './scaffold.mjs';

/**
 * @param {{name: string, port: string, interfaceName: string, members: string[]}} adapter
 * @returns {Map<string, string>}
 */
export function adapterTemplate({ name, port, interfaceName, members }) {
  const technology = name.slice(name.indexOf('-') + 1);
  const value = `create${upper(camel(technology))}${interfaceName}`;
  const file = `create-${technology}-${port}`;
  return new Map([
    ['package.json', `${JSON.stringify(manifest(name), null, 2)}\n`],
    ['README.md', readme(name, `src/${technology}-${port}.integration.test.ts`)],
    ['src/index.ts', `export { ${value} } from './${file}';\n`],
    [`src/${file}.ts`, source({ value, interfaceName, members, technology })],
    [`src/${technology}-${port}.integration.test.ts`, test({ value, file, port, technology })],
  ]);
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

const readme = (name, suite) => `# ${name}

Why: what this technology is used for, what it promises, and what it cannot do.
Passes the suite of its port (\`${suite}\`).
`;

function manifest(name) {
  return {
    name: `@sluice/${name}`, version: '0.1.0', private: true, license: 'Apache-2.0', type: 'commonjs',
    exports: { '.': { 'sluice-source': './src/index.ts', types: './src/index.ts', default: './dist/index.js' } },
    dependencies: { '@sluice/contracts': 'workspace:*', '@sluice/ports': 'workspace:*' },
  };
}

function source({ value, interfaceName, members, technology }) {
  return `import type { ${interfaceName} } from '@sluice/ports';

/** ${interfaceName} on ${technology}: what its calls come to, and how long they take at most. */
export function ${value}(): ${interfaceName} {
  return {
${members.map((member) => `    ${member}: () => notWritten('${member}'),\n`).join('')}  };
}

function notWritten(method: string): never {
  throw new Error(\`\${method} is not written\`);
}
`;
}

function test({ value, file, port, technology }) {
  const suite = `${camel(port)}Conformance`;
  return `import { ${suite} } from '@sluice/ports/testing';
import { ${value} } from './${file}';

// The real server comes from packages/testkit; what the suite works with is shown by the suite of the twin in memory.
${suite}('${port} on ${technology}', () =>
  Promise.reject(new Error(\`\${${value}.name} has no server yet\`)),
);
`;
}
