import { PDFDocument } from '@cantoo/pdf-lib'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { certificateText } from '#shared/certificates/certificate.ts'
import { certificatePdf } from '#shared/certificates/certificate-pdf.ts'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { toDay } from '#shared/domain/day.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { postNotice } from '#server/notices/post-notice.service.ts'
import { listReminders } from '#server/reminders/outbox.service.ts'
import { appRouter } from '#server/routers/index.ts'
import { createCallerFactory } from '#server/trpc.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { fakeServices } from '#support/services.ts'
import { anAccount, asSubscriber, requestOf, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** An account of which a letter is due, and its marking by REST. */
async function aLetterDue(rule: object = { means: ['letter'] }) {
  const noticed = await aNoticedContract(world, { rule, contract: { title: 'Ovens' } })
  const { request, customerId, id } = noticed
  const address = '12 Quay Street\nBuffalo, NY 14202'
  await asSubscriber(request, (ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, address })))
  const url = `/contracts/${id}/notice-letter`
  const mark = (payload: object) => call(server, { method: 'POST', url, headers: bearer(request), payload })
  const withdraw = () => call(server, { method: 'DELETE', url, headers: bearer(request) })
  const letter = async () => (await ledgerOf(request)).find(({ kind }) => kind === 'letter')
  const download = (letterId: number | undefined, by = request) =>
    server.app.inject({ url: `/reminders/${letterId}/certificate`, headers: bearer(by) })
  const kinds = () =>
    world.db.readAs(request.caller?.id ?? 0)(
      sql`select record::json->>'kind' as kind, (record::json->>'reminder')::int as reminder from proof_records order by number`,
      z.object({ kind: z.string(), reminder: z.int() }),
    )
  return { ...noticed, mark, withdraw, letter, download, kinds }
}

async function verdictOf(file: Uint8Array) {
  const key = await readProofKey(fakeServices().proofSigner.publicPem)
  return verifyCertificate(file, key ? [key] : [])
}

async function genuine(file: Uint8Array) {
  const found = await verdictOf(file)
  if (found.verdict !== 'genuine') throw new Error(`It is ${found.verdict}`)
  return found.certificate
}

test('a letter that is marked as mailed has a certificate, which says who said so and in which words it is', async () => {
  const { request, mark, letter, download } = await aLetterDue()
  expect(await mark({ on: '2026-03-08', mailNumber: '7020 1810' })).toMatchObject({ status: 200 })
  const { rows } = await listReminders(requireReader(request), { limit: 10, skip: 0 })
  expect(rows).toMatchObject([{ kind: 'letter', hasCertificate: true }])
  const row = await letter()
  const { statusCode, rawPayload } = await download(row?.id)
  expect(statusCode).toBe(200)
  expect((await PDFDocument.load(rawPayload)).getPageCount()).toBeLessThanOrEqual(2)
  const certificate = await genuine(rawPayload)
  expect(certificate.proved.map(({ record }) => record.kind)).toEqual(['mailed'])
  const text = certificateText(certificate)
  for (const said of [
    'Harbor',
    'Ovens',
    '7020 1810',
    'March 8, 2026',
    'March 6, 2026 to March 21, 2026',
    'Quay Street',
  ])
    expect(text).toContain(said)
  expect(text).toContain('The account holder. TRAXX did not mail the letter')
  expect((await download(row?.id)).rawPayload).toEqual(rawPayload)
  const other = await anAccount(world)
  expect((await download(row?.id, other)).statusCode).toBe(404)
})

test('the notices that were given name the messages with certificates, by REST and for a contract', async () => {
  const { request, id, mark, letter } = await aLetterDue({ means: ['email', 'letter'] })
  expect(await mark({ on: '2026-03-08' })).toMatchObject({ body: { emailReminderId: null } })
  const row = await letter()
  const read = async (url: string) => (await call(server, { url, headers: bearer(request) })).body
  const byLetter = { emailReminderId: null, letterReminderId: row?.id }
  expect(await read('/notices?show=given')).toMatchObject({ rows: [byLetter] })
  expect(await read(`/contracts/${id}/notice`)).toMatchObject({ isGiven: true, notice: byLetter })
  expect(await mark({ on: '2026-03-08' })).toMatchObject({ body: { letterReminderId: row?.id } })
  const other = await aLetterDue({ means: ['email', 'letter'] })
  await other.on('2026-03-08')
  const [email] = await other.notices()
  const list = await call(server, { url: '/notices?show=given', headers: bearer(other.request) })
  expect(list.body.rows).toMatchObject([{ emailReminderId: email?.id, letterReminderId: null }])
  expect(Object.keys(list.body.rows[0].email)).toEqual(['address', 'sentAt', 'deliveredAt'])
  expect((await other.download(email?.id)).statusCode).toBe(200)
})

test('correcting the mark adds to its certificate, and withdrawing it is proved too', async () => {
  const { mark, withdraw, letter, download, kinds } = await aLetterDue()
  await mark({ on: '2026-03-08' })
  const first = await letter()
  await mark({ on: '2026-03-09', mailNumber: '7020' })
  const certificate = await genuine((await download(first?.id)).rawPayload)
  expect(certificate.proved.map(({ record }) => record.kind)).toEqual(['mailed', 'corrected'])
  expect(await withdraw()).toMatchObject({ status: 204 })
  expect((await download(first?.id)).statusCode).toBe(404)
  await mark({ on: '2026-03-10' })
  const again = await letter()
  expect(again?.id).not.toBe(first?.id)
  expect(await kinds()).toEqual([
    { kind: 'mailed', reminder: first?.id },
    { kind: 'corrected', reminder: first?.id },
    { kind: 'withdrawn', reminder: first?.id },
    { kind: 'mailed', reminder: again?.id },
  ])
  const anew = await genuine((await download(again?.id)).rawPayload)
  expect(anew.proved.map(({ record }) => record.kind)).toEqual(['mailed'])
})

test('a refused mark proves nothing, and of many alike at once one is proved', async () => {
  const { mark, kinds } = await aLetterDue()
  expect(await mark({ on: '2026-03-01' })).toMatchObject({ status: 400 })
  expect(await kinds()).toEqual([])
  const answers = await Promise.all([1, 2, 3].map(() => mark({ on: '2026-03-08' })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await kinds()).map(({ kind }) => kind)).toEqual(['mailed'])
  expect(await mark({ on: '2026-03-08', mailNumber: '7020' })).toMatchObject({ body: { mailNumber: '7020' } })
  expect(await mark({ on: '2026-03-08', mailNumber: '7020' })).toMatchObject({
    status: 200,
    body: { postedOn: '2026-03-08', mailNumber: '7020' },
  })
  expect((await kinds()).map(({ kind }) => kind)).toEqual(['mailed', 'corrected'])
})

test('a correction on the same day proves the text that stands in the ledger, and one of another day its new text', async () => {
  const { request, customerId, mark, letter, download } = await aLetterDue()
  await mark({ on: '2026-03-08' })
  const first = await letter()
  await asSubscriber(request, (ctx) =>
    updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, address: '9 Mill Road' })),
  )
  await mark({ on: '2026-03-08', mailNumber: '7020' })
  expect(await letter()).toMatchObject({ body: first?.body })
  await mark({ on: '2026-03-09' })
  const { proved } = await genuine((await download(first?.id)).rawPayload)
  const texts = proved.map(({ record }) => record.parts.find(({ name }) => name === 'letter')?.text)
  expect(texts).toEqual([first?.body, first?.body, (await letter())?.body])
  expect(texts[2]).toContain('9 Mill Road')
})

test('a letter has at most 100 records, of which the last one is that it was not mailed', async () => {
  const { request, id, mark, withdraw, kinds } = await aLetterDue()
  const correct = (mailNumber: string) =>
    asSubscriber(request, (ctx) =>
      postNotice({ ...ctx, today: toDay('2026-03-08') }, PostNotice.parse({ id, on: '2026-03-08', mailNumber })),
    )
  for (let number = 1; number <= 99; number += 1) await correct(String(number))
  const refused = { refusal: 'NOTICE_CORRECTED_TOO_OFTEN' }
  expect(await mark({ on: '2026-03-08', mailNumber: '100' })).toMatchObject({ status: 409, body: refused })
  const app = createCallerFactory(appRouter)(await requestOf(world, request.caller?.clerkUserId ?? ''))
  await expect(app.notices.post({ id, on: '2026-03-08', mailNumber: '100' })).rejects.toMatchObject({
    cause: { key: 'NOTICE_CORRECTED_TOO_OFTEN' },
  })
  expect(await kinds()).toHaveLength(99)
  expect(await mark({ on: '2026-03-08', mailNumber: '99' })).toMatchObject({ status: 200 })
  expect(await withdraw()).toMatchObject({ status: 204 })
  expect((await kinds()).filter(({ kind }) => kind !== 'mailed')).toHaveLength(99)
  expect(await mark({ on: '2026-03-08', mailNumber: '100' })).toMatchObject({ status: 200 })
})

test('a forged certificate of a letter is found out, and its record cannot be changed', async () => {
  const { request, mark, letter, download } = await aLetterDue()
  await mark({ on: '2026-03-08', mailNumber: '7020' })
  const certificate = await genuine((await download((await letter())?.id)).rawPayload)
  const forged = JSON.parse(JSON.stringify(certificate).replaceAll('March 8, 2026', 'March 7, 2026'))
  expect(await verdictOf(await certificatePdf(forged))).toMatchObject({ verdict: 'changed', part: 'letter', record: 1 })
  const change = world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(`update proof_records set record = replace(record, 'March 8', 'March 7') where account_id = ?`, [
      request.caller?.id,
    ]),
  )
  await expect(change).rejects.toThrow(/permission denied|proofs are only ever added/)
})
