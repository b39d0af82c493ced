import { trialKeys } from './trial-keys';

test.each([
  [' Ada@Shop.Example ', 'domain:shop.example', 'address:ada@shop.example'],
  ['Ada@Gmail.com', null, 'address:ada@gmail.com'],
  ['"odd@name"@shop.example', 'domain:shop.example', 'address:"odd@name"@shop.example'],
])('%s may have the trial of %s and of %s', (email, company, address) => {
  expect(trialKeys(email)).toEqual({ company, address });
});
