import { BlockList, isIP } from 'node:net';

/** Everything that is not somebody's public address: this machine, local networks, carriers, documentation, multicast. */
const reserved = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127], // unspecified and loopback
  ['64:ff9b::', 96], // an IPv4 address in IPv6 clothes
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv6');
}

/** `address` is an IP address; anything else is not private. `BlockList` looks through `::ffff:10.0.0.1` itself. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && reserved.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** A name that browsers keep on this machine without asking anybody, whatever a look-up here would say. */
export function isUnderLocalhost(hostname: string): boolean {
  return /\.localhost\.?$/i.test(hostname);
}

export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
