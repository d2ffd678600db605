import { isIPv6 } from 'node:net'

const GROUPS = 8
/** The IPv6 prefix that a provider assigns to one customer. */
const NETWORK_GROUPS = 4
const MAPPED_IPV4 = '0:0:0:0:0:ffff'

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/
const IN_BRACKETS = /^\[(.*)\](?::\d+)?$/

/**
 * The key by which an address is counted: an IPv4 address as it is, the /64 of an IPv6 address. Ignores a port added by a
 * proxy, and differences in notation.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.replace(IPV4_WITH_PORT, '$1').replace(IN_BRACKETS, '$1').split('%')
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  return embeddedIn(groups) ?? `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** An address without the part that identifies one person: the /24 of IPv4, the /48 of IPv6. */
export function shortAddress(address: string): string {
  const key = addressKey(address)
  const parts = key.includes(':') ? key.split(':') : key.split('.')
  return key.includes(':') ? `${parts.slice(0, 3).join(':')}::/48` : `${parts.slice(0, 3).join('.')}.0/24`
}

/** The IPv4 address in an IPv4-mapped IPv6 address (`::ffff:0:0/96`). */
function embeddedIn(groups: string[]): string | undefined {
  if (groups.slice(0, -2).join(':') !== MAPPED_IPV4) return undefined
  return groups
    .slice(-2)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.')
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = groupsIn(head)
  const after = groupsIn(tail ?? '')
  const gap = tail === undefined ? 0 : GROUPS - before.length - after.length
  return [...before, ...Array.from({ length: gap }, () => '0'), ...after]
}

function groupsIn(part: string): string[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (group.includes('.') ? fromIPv4(group) : [Number.parseInt(group, 16).toString(16)]))
}

function fromIPv4(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d].map((group) => group.toString(16))
}
