import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Where clouds hand metadata and credentials to whoever asks from one of their machines: AWS and others, Azure, Alibaba, AWS over
 * IPv6. No installation has a reason to let a config call them, also where private targets are allowed.
 */
const metadataServices = ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254'];

/** Whether an address is never a target. The text may have the brackets of a URL; what is no address is none. */
export type IsDeniedAddress = (address: string) => boolean;

/**
 * @param more further addresses and networks (`192.0.2.7`, `10.0.0.0/8`, `fd00::/8`)
 * @throws Error when one of them is neither
 */
export function createDeniedAddresses(more: readonly string[] = []): IsDeniedAddress {
  const list = new BlockList();
  for (const network of [...metadataServices, ...more]) addNetwork(list, network);
  return (address) => {
    const bare = address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address;
    if (!ipaddr.isValid(bare)) return false;
    // An IPv4-mapped address reaches the IPv4 address.
    const reached = ipaddr.process(bare);
    return list.check(reached.toString(), reached.kind());
  };
}

function addNetwork(list: BlockList, text: string): void {
  const [address = '', bits] = text.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
}
