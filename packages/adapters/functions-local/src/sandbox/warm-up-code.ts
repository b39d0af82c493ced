/** A function that uses what most plugins use. Its instance is thrown away. */
export const warmUpCode = `
class Row {
  constructor(fields) { Object.assign(this, fields); }
  get label() { return 'row ' + this.n; }
}
const known = new Map([['a', 1]]);
exports.handler = async ({ items, ...rest }) => {
  console.log('rows', items);
  const rows = items.map((n) => new Row({ n, ...rest })).filter(({ n }) => n > 0).sort((a, b) => a.n - b.n);
  const words = 'a-b'.replace(/(\\w)-(\\w)/, '$1 $2').split(' ');
  try {
    if (!known.has('b')) throw new TypeError('no b');
  } catch (error) {
    words.push(error.message);
  }
  await Promise.all(words.map(async (word) => word.trim()));
  for (const key of Object.keys(rest)) delete rest[key];
  return { rows, words: [...new Set(words)], at: new Date(0).toISOString(), sum: Number('1.5') + JSON.parse('[1]')[0] };
};`;
