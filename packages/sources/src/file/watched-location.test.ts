import { watchedLocation } from './watched-location';

const folder = '/srv/files/3f0c';
const below = (path: string) => ({ kind: 'folder', path: `${folder}/${path}` });

test.each<[string, ReturnType<typeof watchedLocation> | object]>([
  ['orders', below('orders')],
  ['./orders//new/', below('orders/new')],
  ['a..b', below('a..b')],
  [`${folder}/orders`, below('orders')],
  [`/srv//files/./3f0c/orders/`, below('orders')],
  ['s3://exports', { kind: 's3', bucket: 'exports', prefix: '' }],
  ['s3://exports/orders/2026/', { kind: 's3', bucket: 'exports', prefix: 'orders/2026/' }],
  ['', null],
  ['.', null],
  ['/', null],
  [folder, null],
  [`${folder}/`, null],
  ['..', null],
  ['../b2aa/orders', null],
  ['orders/../../b2aa', null],
  [`${folder}/../b2aa`, null],
  ['/srv/files/3f0c2/orders', null],
  ['/srv/files/b2aa/orders', null],
  ['/srv/files', null],
  ['/etc', null],
  ['orders\\..\\..', null],
  ['orders\0', null],
  ['file:///etc', null],
  ['https://files.example.com/orders', null],
  ['S3://exports', null],
  ['s3://', null],
  ['s3:///orders', null],
  ['s3://Ex_ports/orders', null],
])('%j is read as %j', (location, expected) => {
  expect(watchedLocation(location, folder)).toEqual(expected);
});
