import { isIPv6 } from 'node:net'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { addressKey, shortAddress } from './address-key.ts'

test.each([
  ['203.0.113.77', '203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.77', '203.0.113.0/24'],
  ['::ffff:cb00:714d', '203.0.113.77', '203.0.113.0/24'],
  ['0:0:0:0:0:FFFF:cb00:714d', '203.0.113.77', '203.0.113.0/24'],
  ['203.0.113.77:5555', '203.0.113.77', '203.0.113.0/24'],
  ['[::ffff:203.0.113.77]:443', '203.0.113.77', '203.0.113.0/24'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
])('%s is counted as %s and logged as %s', (address, key, short) => {
  expect(addressKey(address)).toBe(key)
  expect(shortAddress(address)).toBe(short)
})

property.prop([fc.ipV6()])('whoever has one IPv6 network is one, however an address of it is written', (address) => {
  fc.pre(isIPv6(address))
  const { hostname } = new URL(`http://[${address}]`)
  expect(addressKey(hostname.slice(1, -1))).toBe(addressKey(address))
})
