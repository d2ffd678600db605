import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { ListAnswers } from '#shared/schemas/answers.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import type { RequestContext } from '#server/context.ts'
import { listAnswers } from '#server/customer-answers/answers.service.ts'
import { postNotice } from '#server/notices/post-notice.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { answer, LINK } from '#support/answering.ts'
import { bearer, useApp } from '#support/app.ts'
import { importArchive } from '#support/archives.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { fakeServices, memoryFiles } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world, { files: memoryFiles() })

const download = (request: RequestContext, url: string) => server.app.inject({ url, headers: bearer(request) })

async function exported(request: RequestContext) {
  const { statusCode, rawPayload } = await download(request, '/export')
  expect(statusCode).toBe(200)
  const files = unzipSync(rawPayload)
  return { rawPayload, files, certificates: Object.keys(files).filter((name) => name.startsWith('certificates/')) }
}

/** An account that gave notice by email and by letter, reminded a customer, and got an answer. */
async function aProvedAccount() {
  const noticed = await aNoticedContract(world, { rule: { means: ['email', 'letter'] } })
  const { request, id, customerId, received, on } = noticed
  await on('2026-03-08')
  const address = '12 Quay Street\nBuffalo, NY 14202'
  const quay = await aCustomer(request, { name: 'Quay', email: null, address })
  const terms = { renews: 'automatic', renewalCycle: 'yearly', amount: 10, renewalDate: '2026-04-05' } as const
  const contract = await aContract(request, { customerId: quay.id, ...terms })
  await asSubscriber(request, (ctx) => postNotice(ctx, PostNotice.parse({ id: contract.id, on: '2026-03-08' })))
  const other = await aContract(request, { customerId, ...terms, renewalDate: '2026-09-01' })
  await sendReminder(request, { id: other.id })
  const [link = ''] = received.flatMap(({ text }) => LINK.exec(text)?.[1] ?? [])
  expect((await answer(server, link, { choice: 'renew' })).statusCode).toBe(303)
  const { rows } = await listAnswers(requireReader(request), ListAnswers.parse({}))
  const ledger = await ledgerOf(request)
  const idOf = (kind: string) => ledger.find((row) => row.kind === kind)?.id
  expect(ledger.map(({ kind }) => kind)).toContain('manual')
  return { request, contractId: id, email: idOf('notice'), letter: idOf('letter'), answered: rows[0]?.id }
}

test('the archive has the certificates of notices and answers, as each is downloaded, and no others', async () => {
  const { request, email, letter, answered } = await aProvedAccount()
  const { files, certificates } = await exported(request)
  expect(certificates).toEqual([
    `certificates/notice-${email}.pdf`,
    `certificates/notice-${letter}.pdf`,
    `certificates/answer-${answered}.pdf`,
  ])
  const single = [
    `/reminders/${email}/certificate`,
    `/reminders/${letter}/certificate`,
    `/answers/${answered}/certificate`,
  ]
  const key = await readProofKey(fakeServices().proofSigner.publicPem)
  for (const [index, name] of certificates.entries()) {
    const file = files[name] ?? new Uint8Array()
    expect(Buffer.from(file).equals((await download(request, single[index] ?? '')).rawPayload)).toBe(true)
    expect(await verifyCertificate(file, key ? [key] : [])).toMatchObject({ verdict: 'genuine' })
  }
})

test('an archive with certificates is imported without them', async () => {
  const { request } = await aProvedAccount()
  const { rawPayload } = await exported(request)
  const fresh = await anAccount(world)
  expect(await importArchive(server, fresh, rawPayload)).toMatchObject({ status: 200 })
  const { files, certificates } = await exported(fresh)
  expect(strFromU8(files['customer-answers.csv'] ?? new Uint8Array())).toContain(',renew,waiting,')
  expect(certificates).toEqual([])
})

test.each([
  ['is paused', 'paused', null],
  ['ended long ago', 'canceled', '2020-01-01'],
])('where the subscription %s, certificates can be had as long as the export', async (_what, status, endedAt) => {
  const { request, email, letter, answered } = await aProvedAccount()
  const lapse = 'update subscriptions set status = $2, ended_at = $3 where account_id = $1'
  await world.db.system.query(lapse, [request.caller?.id, status, endedAt])
  for (const url of [
    `/reminders/${email}/certificate`,
    `/reminders/${letter}/certificate`,
    `/answers/${answered}/certificate`,
  ])
    expect((await download(request, url)).statusCode).toBe(200)
  expect((await exported(request)).certificates).toHaveLength(3)
})

test('an account that never had a subscription gets no certificate', async () => {
  const request = await anAccount(world, { status: null })
  for (const url of ['/reminders/1/certificate', '/answers/1/certificate'])
    expect((await download(request, url)).statusCode).toBe(402)
})
