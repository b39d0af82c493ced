import { trialKey } from './trial-key';

test.each([
  [' Ada@Shop.Example ', 'domain:shop.example'],
  ['bob@shop.example', 'domain:shop.example'],
  ['Ada@Gmail.com', 'address:ada@gmail.com'],
  ['"odd@name"@shop.example', 'domain:shop.example'],
])('%s may have the trial of %s', (email, key) => {
  expect(trialKey(email)).toBe(key);
});
