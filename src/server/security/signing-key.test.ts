import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { useApp } from '#support/app.ts'
import { aSigningKey } from '#support/public-key.ts'
import { useWorld } from '#support/world.ts'
import { localSigningKey, openSigner } from './signing-key.ts'

const world = useWorld()
const signer = openSigner(aSigningKey())
const server = useApp(world, { proofSigner: signer })

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proof-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'data')
}

test('a machine without a key makes one for itself alone, once, however many processes start', async () => {
  const folder = await aFolder()
  const keys = await Promise.all(Array.from({ length: 20 }, () => localSigningKey(folder)))
  expect(new Set([...keys, await localSigningKey(folder)]).size).toBe(1)
  const files = await readdir(folder)
  expect(files).toEqual(['proof-signing-key.pem'])
  expect((await stat(join(folder, 'proof-signing-key.pem'))).mode & 0o777).toBe(0o600)
  expect(openSigner(keys[0] ?? '').keyId).toMatch(/^[0-9a-f]{16}$/)
})

test('everybody gets the public key, and with it verifies what was signed', async () => {
  const { statusCode, headers, body } = await server.app.inject('/proof-key.pem')
  expect(statusCode).toBe(200)
  expect(headers['content-disposition']).toContain('traxx-proof-key.pem')
  const key = await readProofKey(body)
  expect(key?.id).toBe(signer.keyId)
  expect(await key?.verifies('said', signer.sign('said'))).toBe(true)
  expect(await key?.verifies('not said', signer.sign('said'))).toBe(false)
})

test.each(['', 'no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'])('%j is no key', async (pem) => {
  expect(await readProofKey(pem)).toBeUndefined()
})
