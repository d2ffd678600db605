import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Of this machine alone, a socket in the file system among them. */
export function isLoopback(host: string): boolean {
  return host === '' || host.startsWith('/') || isNamedLocally(host) || isIn(LOOPBACK, host)
}

function isNamedLocally(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** Of this machine, or of the private network that it is in. */
export function isLocal(host: string): boolean {
  return isLoopback(host) || host.endsWith('.local') || isIn(PRIVATE, host)
}

function isIn(networks: BlockList, host: string): boolean {
  const family = isIP(host)
  return family > 0 && networks.check(host, family === 6 ? 'ipv6' : 'ipv4')
}
