import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { FETCH_EVERY_MS, openKeySet } from './key-set.ts'

const HOUR = 3_600_000
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const { n = '', e = '' } = publicKey.export({ format: 'jwk' })

/** A provider with these keys, and a clock. */
function aProvider(...kids: string[]) {
  const provider = { at: 0, asked: 0, kids, fails: false }
  const fetchKeys = async () => {
    provider.asked += 1
    if (provider.fails) throw new Error('503')
    return { keys: provider.kids.map((kid) => ({ kid, n, e })) }
  }
  return Object.assign(provider, { find: openKeySet({ fetchKeys, now: () => provider.at, timeoutMs: 20 }) })
}

test('a key is fetched once for all who need it', async () => {
  const provider = aProvider('ins_1')
  expect(await Promise.all([1, 2, 3].map(() => provider.find('ins_1')))).toEqual([pem, pem, pem])
  provider.at += HOUR - 1
  expect(await provider.find('ins_1')).toBe(pem)
  expect(provider.asked).toBe(1)
})

test('a thousand tokens that name keys nobody has cost one call', async () => {
  const provider = aProvider('ins_1')
  const forged = Array.from({ length: 1000 }, (_, index) => provider.find(`forged_${index}`))
  expect(new Set(await Promise.all(forged))).toEqual(new Set([undefined]))
  expect(provider.asked).toBe(1)
  expect(await provider.find('ins_1')).toBe(pem)
})

test('a new key of the provider is known soon', async () => {
  const provider = aProvider('ins_1')
  await provider.find('ins_1')
  provider.kids = ['ins_1', 'ins_2']
  expect(await provider.find('ins_2')).toBeUndefined()
  provider.at += FETCH_EVERY_MS
  expect(await provider.find('ins_2')).toBe(pem)
})

test('a key that the provider has withdrawn opens nothing after an hour', async () => {
  const provider = aProvider('ins_1')
  await provider.find('ins_1')
  provider.kids = []
  provider.at += HOUR
  expect(await provider.find('ins_1')).toBeUndefined()
})

test('a provider that fails is asked again later, and meanwhile nobody is told that they are signed out', async () => {
  const provider = aProvider('ins_1')
  provider.fails = true
  for (let call = 1; call <= 5; call++) {
    await expect(provider.find('ins_1')).rejects.toMatchObject({ key: 'IDENTITY_UNAVAILABLE' })
  }
  expect(provider.asked).toBe(1)
  provider.fails = false
  provider.at += FETCH_EVERY_MS
  expect(await provider.find('ins_1')).toBe(pem)
})

test('a provider that never answers keeps nobody waiting', async () => {
  const find = openKeySet({ fetchKeys: () => new Promise(() => {}), timeoutMs: 5 })
  await expect(find('ins_1')).rejects.toMatchObject({ key: 'IDENTITY_UNAVAILABLE' })
})

test('a provider that never answers is not asked once more while it is still being asked', async () => {
  let at = 0
  let asked = 0
  const hanging = Promise.withResolvers<{ keys: [] }>()
  const fetchKeys = async () => {
    asked += 1
    return hanging.promise
  }
  const find = openKeySet({ fetchKeys, now: () => at, timeoutMs: 5 })
  for (let call = 1; call <= 3; call += 1) {
    await expect(find('ins_1')).rejects.toMatchObject({ key: 'IDENTITY_UNAVAILABLE' })
    at += FETCH_EVERY_MS
  }
  expect(asked).toBe(1)
  hanging.resolve({ keys: [] })
  await expect.poll(async () => (await find('ins_1').catch(() => {}), asked)).toBe(2)
})
