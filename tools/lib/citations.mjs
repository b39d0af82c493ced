/**
 * Finds citations that a reader of the repository cannot open. Comments and documents may cite an ADR, a page of docs/, an RFC,
 * or the CRM's public documentation; where a rule comes from the product's specification, docs/reference/ states it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { root } from './workspace.mjs';

/** Forms in which documents outside of the repository were cited. */
const outsideForms = [
  /\b(?:DESIGN|CONTRACT)\b/,
  /\b(?:interface|decisions|crm-wire-api)\.md\b/,
  /\bcrm-wire-api\b/,
  /\bdecisions \d/,
  /\((?:interface|decisions)[,;)]/,
  /(?:\*|\/\/|#) (?:interface|decisions), /,
  /; decisions(?: \d|\))/,
  /\bthe interface(?:'s own|'s error| says| names| shows)\b/i,
  /(?<![\w.])\/(?:work|Users)\//,
];

const textFile = /\.(?:ts|js|mjs|cjs|md|prisma|sql|ya?ml|sh|py)$|(?:^|\/)(?:Dockerfile|Caddyfile)$/;
const skippedFolders = new Set(['node_modules', 'dist', 'generated', 'coverage']);
/** They hold the forms themselves. */
const ownFiles = new Set(['tools/lib/citations.mjs', 'tools/lib/citations.test.mjs']);

/** @returns {Promise<string>} one line per citation that cannot be opened; empty when there is none */
export async function citationProblems() {
  const paths = filesOf(root).map((path) => relative(root, path).split(sep).join('/'));
  const texts = new Map();
  for (const path of paths) if (textFile.test(path)) texts.set(path, readFileSync(join(root, path), 'utf8'));
  const repository = createRepository(paths, texts);
  const checked = [...texts].filter(([path]) => !ownFiles.has(path));
  return checked.flatMap(([path, text]) => problemsOf(path, text, repository)).map((problem) => `${problem}\n`).join('');
}

/**
 * What citations may lead to.
 * @param {readonly string[]} paths of all files, relative to the root
 * @param {ReadonlyMap<string, string>} texts content of those that hold text
 */
export function createRepository(paths, texts) {
  const places = new Set(paths);
  for (const path of paths) for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) places.add(folder);
  return { places, texts, adrs: new Set(paths.flatMap((path) => /^docs\/adr\/(\d{4})/.exec(path)?.[1] ?? [])) };
}

/**
 * @param {string} path of the file, relative to the root
 * @param {string} text its content
 * @param {ReturnType<typeof createRepository>} repository
 * @returns {string[]}
 */
export function problemsOf(path, text, repository) {
  // A citation may continue on the next line of its comment.
  const whole = text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/\/?|#)?[ \t]*/g, ' ');
  const missing = [...adrProblems(whole, repository), ...pageProblems(whole, repository)];
  if (path.endsWith('.md')) missing.push(...linkProblems(path, text, repository));
  return [...new Set([...outsideProblems(path, text), ...missing.map((problem) => `${path} ${problem}`)])];
}

function outsideProblems(path, text) {
  return text.split('\n').flatMap((line, index) => {
    const cited = outsideForms.flatMap((form) => form.exec(line)?.[0].trim() ?? [])[0];
    if (cited === undefined) return [];
    return [`${path}:${index + 1} cites "${cited}", which is not in the repository: cite an ADR or a page, or state the rule`];
  });
}

function adrProblems(whole, { adrs }) {
  const cited = [...whole.matchAll(/\bADR (\d{4})\b/g)].filter(([, number]) => !adrs.has(number));
  return cited.map(([name]) => `cites ${name}, which does not exist`);
}

/** `docs/<page>.md`, and inside parentheses `(docs/<page>.md, <section>)`. */
function pageProblems(whole, { texts }) {
  return [...whole.matchAll(/(?<![\w/.-])(docs\/[\w/-]+\.md)(?:, ([^().:;`]+)\))?/g)].flatMap(([, page, section]) => {
    const content = texts.get(page);
    if (content === undefined) return [`cites ${page}, which does not exist`];
    if (section === undefined || hasSections(content, section)) return [];
    return [`cites the section "${section}", which ${page} does not have`];
  });
}

/** Whether a page has a heading of this name, one for each part of `<one> and <other>`, or a setting of this name. */
function hasSections(page, section) {
  const headings = new Set(headingsOf(page).map((heading) => heading.toLowerCase()));
  const has = (name) => headings.has(name.toLowerCase()) || (/^[A-Z_]+$/.test(name) && page.includes(`\`${name}\``));
  return has(section) || section.split(' and ').every(has);
}

/** Links of a Markdown file to other files of the repository and to their headings. */
function linkProblems(path, text, { places, texts }) {
  const prose = text.replace(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, file, anchor]) => {
    const target = file === '' ? path : posix.normalize(posix.join(dirname(path), file)).replace(/\/$/, '');
    if (!places.has(target)) return [`links to ${target}, which does not exist`];
    const known = anchor === undefined || headingsOf(texts.get(target) ?? '').some((heading) => anchorOf(heading) === anchor);
    return known ? [] : [`links to "#${anchor}", a heading that ${target} does not have`];
  });
}

const headingsOf = (page) => [...page.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading]) => heading);

/** The anchor that a heading gets where Markdown is shown. */
const anchorOf = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');

/** The files below a folder, without what is installed, built or hidden. */
function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !skippedFolders.has(entry.name) && !entry.name.startsWith('.') ? filesOf(path) : [];
  });
}
