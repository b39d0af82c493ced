/** docs/adr/README.md: the decisions by theme. A decision without a theme stands at the end. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/workspace.mjs';

const folder = join(root, 'docs', 'adr');
const themes = {
  'Accepting events': ['0004', '0021', '0027', '0045', '0104', '0131', '0195', '0196', '0197', '0198', '0199', '0200', '0201', '0345', '0350', '0371'],
  'The log': ['0023', '0025', '0026', '0028', '0086', '0102', '0325'],
  'Order, and what waits': ['0005', '0031', '0032', '0033', '0035', '0036', '0052', '0059', '0101', '0105', '0134', '0221', '0250', '0310', '0315', '0415', '0380', '0385', '0386', '0400'],
  'Running a flow': ['0048', '0072', '0085', '0100', '0110', '0130', '0143', '0180'],
  'Writing to the CRM': ['0006', '0007', '0008', '0024', '0034', '0080', '0111', '0112', '0181', '0205', '0340', '0425'],
  'Plugins and the assistant': ['0120', '0165', '0166', '0215', '0335', '0336', '0360', '0375', '0395'],
  'The configuration': ['0040', '0041', '0042', '0099', '0132'],
  'Accounts, rights and secrets': ['0044', '0046', '0055', '0056', '0133', '0144', '0150', '0151', '0152', '0153', '0154', '0230', '0270', '0290', '0420', '0430'],
  'Services and deployment': ['0003', '0010', '0011', '0012', '0103', '0140', '0141', '0145', '0220', '0390', '0391', '0410'],
  'Code, tests and tools': ['0001', '0002', '0009', '0020', '0022', '0038', '0039', '0097', '0098', '0135', '0142', '0365', '0370'],
};

const introduction = `# Decisions by theme

One decision a file, with its background and consequences. A number is never used again; one that is missing was merged into another.
A decision that another one superseded is marked. Themes: \`tools/gen/adr-index.mjs\`.
`;

export const generator = {
  name: 'adr-index',
  /** @returns {Promise<Map<string, string>>} */
  async outputs() {
    const files = readdirSync(folder).filter((file) => /^\d{4}-.+\.md$/.test(file)).sort();
    const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    return new Map([['docs/adr/README.md', adrIndex(texts, themes)]]);
  },
};

/**
 * @param {ReadonlyMap<string, string>} texts of the decisions, by file
 * @param {Record<string, readonly string[]>} numbers by theme
 */
export function adrIndex(texts, numbers) {
  const themed = new Set(Object.values(numbers).flat());
  const sections = { ...numbers, Others: [...texts.keys()].map(numberOf).filter((number) => !themed.has(number)) };
  return introduction + Object.entries(sections).map(([theme, ofTheme]) => {
    const lines = [...texts].filter(([file]) => ofTheme.includes(numberOf(file))).map(([file, text]) => lineOf(file, text));
    return lines.length === 0 ? '' : `\n## ${theme}\n\n${lines.join('')}`;
  }).join('');
}

const numberOf = (file) => file.slice(0, 4);

function lineOf(file, text) {
  const title = /^# \d{4}[:.]? +(.+)$/m.exec(text)?.[1] ?? file;
  const superseded = /^Superseded by (\[\d{4}\]\([^)]+\))/m.exec(text)?.[1];
  return `- [${numberOf(file)}](${file}) ${title}${superseded === undefined ? '' : ` (superseded by ${superseded})`}\n`;
}
