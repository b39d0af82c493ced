import { textTable } from './text-table';

it('lines columns up, numbers to the right', () => {
  expect(textTable(['event', 'total'], [['order.placed', 12], ['all', 1_200]])).toEqual([
    '  event          total',
    '  ────────────   ─────',
    '  order.placed      12',
    '  all             1200',
  ]);
});

it('shows headings alone when there is nothing', () => {
  expect(textTable(['a'], [])).toEqual(['  a', '  ─']);
});
