/** `fetch` of a plugin: every hop is checked against the capability, the address and the places of secrets. */
'use strict';
const { lookup } = require('node:dns/promises');
const http = require('node:http');
const https = require('node:https');
const { BlockList, isIPv6 } = require('node:net');
const { brotliDecompressSync, gunzipSync, inflateSync } = require('node:zlib');

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const refusedHeaders = new Set([
  'connection', 'content-length', 'cookie', 'cookie2', 'expect', 'host', 'keep-alive', 'proxy-authorization', 'proxy-connection',
  'te', 'trailer', 'transfer-encoding', 'upgrade',
]);
const hiddenHeaders = new Set(['connection', 'content-encoding', 'content-length', 'keep-alive', 'set-cookie',
  'transfer-encoding']);
/** Special-purpose addresses of the registries of IANA: none of them is on the public internet. */
const privateNetworks = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15',
  '224.0.0.0/4', '240.0.0.0/4', '::/127', '64:ff9b::/96', '100::/64', '2001::/23', '2002::/16', 'fc00::/7', 'fec0::/10',
  'ff00::/8',
];
/** Metadata services of clouds. */
const deniedNetworks = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254'];

class PluginFetch {
  #calls = 0;
  #abort = new AbortController();
  #blocked;
  #scope;
  #bounds;

  constructor(scope, bounds) {
    [this.#scope, this.#bounds] = [scope, bounds];
    const { allowPrivateTargets = false, deniedTargets = [] } = scope;
    this.#blocked = blockList([...deniedNetworks, ...deniedTargets, ...(allowPrivateTargets ? [] : privateNetworks)]);
  }

  async fetch(url, init = {}) {
    const { fetches, fetchBytes } = this.#bounds;
    try {
      if (this.#calls >= fetches) throw new Error(`more than ${fetches} calls of fetch`);
      this.#calls += 1;
      const first = readRequest(url, init ?? {});
      if (first.body && first.body.length > fetchBytes) throw new Error('the body of a request is too long');
      return await this.#follow(first);
    } catch (error) {
      throw new TypeError(`fetch failed: ${error.message}`);
    }
  }

  end() {
    this.#abort.abort();
  }

  async #follow(first) {
    let request = first;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const answer = await this.#hop(request);
      const { location } = answer.headers;
      if (!redirectStatuses.has(answer.status) || location === undefined)
        return responseOf(answer, request, hop > 0, this.#bounds.fetchBytes);
      request = redirected(request, answer.status, location);
    }
    throw new Error(`more than ${maxRedirects} redirects`);
  }

  async #hop(request) {
    checkHop(request, this.#scope);
    if (!this.#scope.mayCall) throw new Error('this runner may not make calls any more');
    const { hostname } = request.url;
    const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
    if (addresses.some(({ address }) => this.#blocked.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')))
      throw new Error(`'${hostname}' leads to an address that may not be called`);
    return send(request, { addresses, maxBytes: this.#bounds.fetchBytes, timeoutMs: this.#bounds.fetchTimeoutMs,
      signal: this.#abort.signal });
  }
}

function blockList(networks) {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function readRequest(given, { method: name = 'GET', headers, body: sent }) {
  if (!URL.canParse(String(given))) throw new Error('only http and https URLs can be called');
  const method = String(name).toUpperCase();
  if (!methods.has(method)) throw new Error(`the method ${method} cannot be sent`);
  const pairs = headers === undefined || headers === null ? [] : typeof headers[Symbol.iterator] === 'function' ? [...headers]
    : Object.entries(headers);
  const set = {};
  for (const [header, value] of pairs) {
    const key = String(header).toLowerCase();
    if (refusedHeaders.has(key)) throw new Error(`the header '${key}' cannot be set`);
    set[key] = String(value);
  }
  const body = sent === undefined || sent === null ? null : bodyOf(sent, set);
  if (body !== null && (method === 'GET' || method === 'HEAD')) throw new Error(`a ${method} request has no body`);
  return { method, url: new URL(String(given)), headers: set, body };
}

function bodyOf(sent, headers) {
  if (ArrayBuffer.isView(sent)) return Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  if (Object.prototype.toString.call(sent) === '[object ArrayBuffer]') return Buffer.from(sent);
  if (typeof sent !== 'string' && !(sent instanceof URLSearchParams))
    throw new Error('the body of a request is a text, bytes or URLSearchParams');
  headers['content-type'] ??= typeof sent === 'string' ? 'text/plain;charset=UTF-8'
    : 'application/x-www-form-urlencoded;charset=UTF-8';
  return Buffer.from(String(sent), 'utf8');
}

/** Checks the address and the secrets of one hop. */
function checkHop({ url, headers, body }, { hosts, secrets }) {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('only http and https URLs can be called');
  if (url.username !== '' || url.password !== '') throw new Error('a URL with a user name or a password cannot be called');
  if (!coversHost(hosts, url)) throw new Error(`'${url.host}' is not covered by the http capability`);
  const sent = [url.href, decoded(url.href), ...Object.values(headers), body?.toString('latin1') ?? ''];
  if (secrets.some(({ value, origin }) => origin !== url.origin && sent.some((text) => text.includes(value))))
    throw new Error('headers of an auth grant may only go to the origin of their source');
}

/** As `coversHost` of the service: `*.name` covers subdomains only. */
function coversHost(patterns, { hostname, port, protocol }) {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const actualPort = port !== '' ? port : protocol === 'https:' ? '443' : '80';
  return patterns.some((pattern) => {
    const [, wildcard, host, only] = /^(\*\.)?([^:]*)(?::([0-9]+))?$/.exec(pattern.toLowerCase()) ?? [];
    if (host === undefined || (only !== undefined && only !== actualPort)) return false;
    return wildcard === undefined ? name === host : name.endsWith(`.${host}`) && name.length > host.length + 1;
  });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not percent-encoded text: then it is what it is.
  }
}

/** The request that follows a redirect. Another origin gets none of the plugin's headers. */
function redirected(request, status, location) {
  if (!URL.canParse(location, request.url.href)) throw new Error('a redirect leads to what is no URL');
  const url = new URL(location, request.url);
  const becomesGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
  const { method, body } = becomesGet && request.method !== 'HEAD' ? { method: 'GET', body: null } : request;
  return { method, url, body, headers: url.origin === request.url.origin ? request.headers : {} };
}

/** The addresses that were checked are the ones that are called. */
function send({ method, url, headers, body }, { addresses, maxBytes, timeoutMs, signal }) {
  return new Promise((resolve, reject) => {
    const pinned = (_name, { all }, done) => (all ? done(null, addresses)
      : done(null, addresses[0].address, addresses[0].family));
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const length = body === null ? {} : { 'content-length': String(body.length) };
    const options = { method, lookup: pinned, agent: false, signal: bounded, headers: { accept: '*/*', ...headers, ...length } };
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      const chunks = [];
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
        if (bytes > maxBytes) response.destroy(new Error(`the answer is longer than ${maxBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    request.on('error', (error) => reject(new Error(bounded.aborted ? 'it took too long' : (error.code ?? error.message))));
    request.end(body ?? undefined);
  });
}

/** The size counts after unpacking. */
function unpacked({ headers, body }, maxOutputLength) {
  const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (coding === 'identity' || body.length === 0) return body;
  const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[coding];
  if (!unpack) throw new Error(`an answer in the coding '${coding}' cannot be read`);
  try {
    return unpack(body, { maxOutputLength });
  } catch {
    throw new Error(`the answer is longer than ${maxOutputLength} bytes, or damaged`);
  }
}

function responseOf(answer, { url }, isRedirected, maxBytes) {
  const body = unpacked(answer, maxBytes);
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    hiddenHeaders.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]);
  const { status } = answer;
  return {
    status, ok: status >= 200 && status < 300, url: url.href, redirected: isRedirected, headers: new Headers(headers),
    text: async () => body.toString('utf8'),
    json: async () => JSON.parse(body.toString('utf8')),
    arrayBuffer: async () => new Uint8Array(body).buffer,
  };
}

module.exports = { PluginFetch };
