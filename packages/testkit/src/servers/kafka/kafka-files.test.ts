import { quickStart } from './kafka-files';

// A broker without its kept classes starts too, only slower: nothing else would notice.
test('a quick start uses the classes that were kept', () => {
  const files = { libs: '/kafka/libs', formatted: '/kafka/logs', classes: '/kafka/classes.jsa' };
  const wanted = ['-Xmx256m', '-Xshare:auto', '-XX:SharedArchiveFile=/kafka/classes.jsa'];
  expect(quickStart(files, 256)).toEqual(expect.arrayContaining(wanted));
});
