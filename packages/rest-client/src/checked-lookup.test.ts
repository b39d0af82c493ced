import { isPublicAddress } from '@sluice/public-address';
import { checkedLookup, PrivateTargetError, type ResolveName } from './checked-lookup';

/** Answers of the name server, one for each query. */
function answering(...addresses: string[]) {
  const asked: string[] = [];
  const resolve: ResolveName = (hostname, _options, done) => {
    asked.push(hostname);
    done(null, [{ address: addresses[asked.length - 1]!, family: 4 }]);
  };
  return { asked, resolve };
}

/** The address that a connection to `erp.example.com` uses. */
const connectTo = (resolve: ResolveName, all: boolean): Promise<unknown> =>
  new Promise((told) => {
    const isRefused = (address: string): boolean => !isPublicAddress(address);
    checkedLookup(isRefused, resolve)('erp.example.com', { all }, (error, address) => told(error ?? address));
  });

describe('the name lookup of a connection', () => {
  it.each([[true], [false]])('returns the checked address, even if the next answer differs (all: %s)', async (all) => {
    const { asked, resolve } = answering('93.184.216.34', '10.0.0.1');
    expect(await connectTo(resolve, all)).toEqual(all ? [{ address: '93.184.216.34', family: 4 }] : '93.184.216.34');
    expect(asked).toEqual(['erp.example.com']);
  });

  it('refuses a name that resolves to a private address, and does not resolve it again', async () => {
    const { asked, resolve } = answering('10.0.0.1', '93.184.216.34');
    expect(await connectTo(resolve, true)).toBeInstanceOf(PrivateTargetError);
    expect(asked).toEqual(['erp.example.com']);
  });
});
