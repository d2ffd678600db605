import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver from 's3rver'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aPdf, keysIn } from '#support/pdf.ts'
import { readEnv } from '#server/env.ts'
import { openServices } from './open-services.ts'

const KEYS = {
  NODE_ENV: 'test',
  CLERK_PUBLISHABLE_KEY: 'pk_test_Y2xlcmsubG9jYWwudGVzdCQ=',
  CLERK_SECRET_KEY: 'sk_test_nobody',
  STRIPE_SECRET_KEY: 'sk_test_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
  SMTP_URL: 'smtp://127.0.0.1:9',
}

test('files are in the folder of DATA_DIR, or in the bucket that the environment names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-services-'))
  const directory = join(folder, 's3')
  const s3 = new S3rver({ port: 0, silent: true, directory, configureBuckets: [{ name: 'pdfs' }] })
  const { port } = await s3.run()
  const bucket = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_REGION: 'us-east-1',
    S3_BUCKET: 'pdfs',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const local = await openServices(readEnv({ ...KEYS, DATA_DIR: folder }), undefined)
  const remote = await openServices(readEnv({ ...KEYS, DATA_DIR: folder, ...bucket }), undefined)
  await local.files.write('contracts/local.pdf', Readable.from([aPdf()]))
  await remote.files.write('contracts/remote.pdf', Readable.from([aPdf()]))
  expect(await keysIn(local.files, 'contracts')).toEqual(['contracts/local.pdf'])
  expect(await keysIn(remote.files, 'contracts')).toEqual(['contracts/remote.pdf'])
  await s3.close()
  rmSync(folder, { recursive: true })
})

test('messages of the contact form go to CONTACT_MAIL, or else to the address of MAIL_FROM', async () => {
  const mailOf = async (changes: NodeJS.ProcessEnv) =>
    (await openServices(readEnv({ ...KEYS, MAIL_FROM: 'TRAXX <hello@traxx.example>', ...changes }), undefined))
      .contactMail
  expect(await mailOf({})).toBe('hello@traxx.example')
  expect(await mailOf({ CONTACT_MAIL: 'owner@traxx.example' })).toBe('owner@traxx.example')
})

test('how much mail customers get, and how many complaints stop it, is what the operator says', async () => {
  const opened = async (changes: NodeJS.ProcessEnv) => {
    const { mailLimits, complaintLimits } = await openServices(readEnv({ ...KEYS, ...changes }), undefined)
    return { ...mailLimits, ...complaintLimits }
  }
  const names = ['toAddress', 'ofTrial', 'ofPaying', 'most', 'perMails', 'mostInTrial']
  const variables = ['PER_ADDRESS', 'TRIAL', 'PAID'].map((name) => `MAIL_LIMIT_${name}`)
  const all = [...variables, 'COMPLAINTS_TO_STOP', 'COMPLAINTS_PER_EMAILS', 'COMPLAINTS_TO_STOP_TRIAL']
  expect(await opened({})).toEqual(Object.fromEntries(names.map((name, at) => [name, [5, 50, 1000, 3, 200, 2][at]])))
  const others = Object.fromEntries(all.map((name, at) => [name, String(11 + at)]))
  expect(await opened(others)).toEqual(Object.fromEntries(names.map((name, at) => [name, 11 + at])))
})

test('without CLERK_JWT_KEY, Clerk is asked for its keys once, however many forged tokens name others', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string | URL) => {
    asked.push(String(url))
    return Response.json({ keys: [] })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { verifyToken } = await openServices(readEnv(KEYS), undefined)
  const forged = Array.from({ length: 100 }, (_, index) => JSON.stringify({ alg: 'RS256', kid: `forged_${index}` }))
  const refusals = forged.map((header) =>
    expect(verifyToken(`${Buffer.from(header).toString('base64url')}.e30.AA`)).rejects.toThrow('names a key'),
  )
  await Promise.all(refusals)
  await expect(verifyToken(`${Buffer.from('{"kid":"later"}').toString('base64url')}.e30.AA`)).rejects.toThrow(
    'names a key',
  )
  expect(asked).toEqual(['https://api.clerk.com/v1/jwks'])
})
