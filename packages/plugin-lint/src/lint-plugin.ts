import {
  type AnyNode, type CallExpression, type Identifier, type MemberExpression, type NewExpression, type Node, parse, type Program,
} from 'acorn';
import { ancestor } from 'acorn-walk';
import { coversHost, type PluginCapabilities } from '@sluice/contracts';
import { exportsHandler } from './exports-handler';
import { type HostLiteral, hostOfSum, hostsOfTemplate, hostsOfText } from './host-literals';
import { Scopes } from './scopes';

export type LintRule =
  | 'syntax' | 'commonjs' | 'handler' | 'require' | 'import' | 'process' | 'eval' | 'socket' | 'host' | 'too_complex';

/** What is wrong with a bundle, and where. */
export interface LintFinding {
  rule: LintRule;
  message: string;
  /** From 1. */
  line: number;
  /** The code around the place, on one line. */
  excerpt: string;
}

/** Findings of one bundle at most. */
const maxFindings = 100;
/** Characters of an excerpt before and behind its place. */
const around = 60;

/**
 * Everything in the bundle of a plugin that its sandbox does not have, or that was not granted; empty: it may be pushed. Names
 * that code builds while it runs are not seen.
 */
export function lintPlugin(bundle: string, capabilities: PluginCapabilities): LintFinding[] {
  const findings: LintFinding[] = [];
  const starts = lineStarts(bundle);
  const add = (rule: LintRule, message: string, at: number): void => {
    if (findings.length < maxFindings) findings.push({ rule, message, line: lineOf(starts, at), excerpt: excerptOf(bundle, at) });
  };
  try {
    const program = parsed(bundle, add);
    if (program) check(program, capabilities, add);
  } catch (error) {
    // Code that is nested so deep that reading it overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    add('too_complex', 'The bundle is nested too deep to be read.', 0);
  }
  return findings.sort((one, other) => one.line - other.line);
}

type Add = (rule: LintRule, message: string, at: number) => void;

function parsed(bundle: string, add: Add): Program | null {
  try {
    return parse(bundle, { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: true });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { pos = 0, message } = error as SyntaxError & { pos?: number };
    if (message.startsWith('Not enough stack space')) throw new RangeError(message);
    if (isModule(bundle)) add('commonjs', 'The bundle must be one CommonJS file, not an ES module.', pos);
    else add('syntax', `The bundle is no JavaScript: ${message.replace(/ \(\d+:\d+\)$/, '')}.`, pos);
    return null;
  }
}

function isModule(bundle: string): boolean {
  try {
    const { body } = parse(bundle, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return body.some(({ type }) => /^(Import|Export)/.test(type));
  } catch {
    return false;
  }
}

const sockets = new Set(['WebSocket', 'EventSource', 'XMLHttpRequest', 'RTCPeerConnection', 'WebTransport']);

function check(program: Program, capabilities: PluginCapabilities, add: Add): void {
  if (!exportsHandler(program))
    add('handler', 'The bundle has no export named handler: exports.handler = async (payload) => ...', 0);
  const scopes = new Scopes();
  const host = hostCheck(capabilities, add);
  ancestor(program, {
    Identifier: (node, _state, ancestors) => globalName(node, ancestors as AnyNode[], scopes, add),
    CallExpression: (node, _state, ancestors) => call(node, ancestors as AnyNode[], scopes, add),
    NewExpression: (node, _state, ancestors) => call(node, ancestors as AnyNode[], scopes, add),
    ImportExpression: ({ start }) => add('import', 'import() loads no module here: bundle everything into one file.', start),
    Literal: (node) => host(typeof node.value === 'string' ? hostsOfText(node.value, false) : [], node),
    TemplateLiteral: (node) => host(hostsOfTemplate(node), node),
    BinaryExpression: (node) => host(node.operator === '+' ? hostOfSum(node.left, node.right) ?? [] : [], node),
  });
}

function globalName({ name, start }: Identifier, ancestors: AnyNode[], scopes: Scopes, add: Add): void {
  const message = nameMessage(name);
  if (message === null) return;
  const parent = ancestors.at(-2);
  // A test whether a name is there is harmless.
  if (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') return;
  if (scopes.isGlobal(name, ancestors)) add(message.rule, message.text, start);
}

function nameMessage(name: string): { rule: LintRule; text: string } | null {
  if (name === 'process') return { rule: 'process', text: 'There is no process: a plugin has no environment and no system.' };
  if (name === 'eval') return { rule: 'eval', text: 'eval is not available.' };
  return sockets.has(name) ? { rule: 'socket', text: `${name} is not available: a plugin may only call fetch.` } : null;
}

function call(
  { callee, arguments: given, start }: CallExpression | NewExpression, ancestors: AnyNode[], scopes: Scopes, add: Add,
) {
  const name = callee.type === 'Identifier' ? callee.name : null;
  if (name === 'Function' && scopes.isGlobal(name, ancestors)) add('eval',
    'Function makes code of a text, which is not available.', start);
  if (name === 'require' && scopes.isGlobal(name, ancestors)) {
    const [first] = given;
    const module = first?.type === 'Literal' && typeof first.value === 'string' ? ` '${first.value}'` : '';
    add('require', `require${module} loads no module here: bundle everything into one file.`, start);
  }
  if (isConstructor(callee) && isConstructor((callee as MemberExpression).object))
    add('eval', 'The constructor of functions makes code of a text, which is not available.', start);
}

function isConstructor(node: AnyNode): boolean {
  if (node.type !== 'MemberExpression') return false;
  const { property } = node;
  return property.type === 'Identifier' ? property.name === 'constructor'
    : property.type === 'Literal' && property.value === 'constructor';
}

function hostCheck({ http = [] }: PluginCapabilities, add: Add): (found: HostLiteral | HostLiteral[], node: Node) => void {
  const seen = new Set<string>();
  const check = ({ scheme, host, port }: HostLiteral, start: number): void => {
    const text = `${scheme}://${host}${port === null ? '' : `:${port}`}`;
    const isCallable = scheme === 'http' || scheme === 'https';
    const place = `${start} ${text}`;
    if ((isCallable && URL.canParse(text) && coversHost(http, new URL(text))) || seen.has(place)) return;
    seen.add(place);
    const refused = `fetch calls http and https only, not ${scheme}.`;
    add('host', isCallable ? `The http capability does not cover ${host}.` : refused, start);
  };
  return (found, { start }) => [found].flat().forEach((literal) => check(literal, start));
}

/** Offsets at which lines begin. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** By bisection: a bundle may have a hundred thousand lines. */
function lineOf(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Lines of a minified bundle have megabytes. */
function excerptOf(text: string, at: number): string {
  const from = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - around);
  const lineEnd = text.indexOf('\n', at);
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, at + around);
  return text.slice(from, to).trim();
}
