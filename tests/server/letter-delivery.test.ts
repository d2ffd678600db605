import { expect, test } from 'vitest'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { aNoticedContract } from '#support/noticed-contract.ts'
import { fakeServices } from '#support/services.ts'
import { notificationsOf } from '#support/notifications.ts'
import { useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** A contract of which notice is due, by a law of New York from March 1 to March 16. */
async function aLetterDue(given: Parameters<typeof aNoticedContract>[1] = { law: 'new_york_services' }) {
  const noticed = await aNoticedContract(world, { contract: { noticePeriod: '5 days' }, ...given })
  const { id, request } = noticed
  const headers = bearer(request)
  const url = `/contracts/${id}/notice-letter`
  const mark = (payload: object) =>
    call(server, { method: 'POST', url, headers, payload: { on: '2026-03-05', ...payload } })
  const withdraw = () => call(server, { method: 'DELETE', url, headers })
  const listGiven = async () => (await call(server, { url: '/notices?show=given', headers })).body.rows
  const letterInLedger = async () => {
    const { body } = await call(server, { url: `/contracts/${id}/reminders`, headers })
    return body.history.find(({ kind }: { kind: string }) => kind === 'letter')
  }
  const facts = async () => {
    const letter = (await ledgerOf(request)).find(({ kind }) => kind === 'letter')
    const file = await server.app.inject({ url: `/reminders/${letter?.id}/certificate`, headers })
    const key = await readProofKey(fakeServices().proofSigner.publicPem)
    const found = await verifyCertificate(file.rawPayload, key ? [key] : [])
    if (found.verdict !== 'genuine') throw new Error(`It is ${found.verdict}`)
    const parts = found.certificate.proved.at(-1)?.record.parts ?? []
    return Object.fromEntries(parts.find(({ name }) => name === 'letter')?.facts ?? [])
  }
  return { ...noticed, mark, withdraw, listGiven, letterInLedger, facts }
}

test('by the laws of New York it has to be said how a letter was delivered, and by which number', async () => {
  const { mark, listGiven, facts } = await aLetterDue()
  expect(await mark({})).toMatchObject({
    status: 400,
    body: {
      refusal: 'NOTICE_DELIVERY_REQUIRED',
      error:
        'By this law, a letter counts if it is handed over in person or sent by certified mail. Say which, and the number of the mail',
    },
  })
  expect(await mark({ delivery: 'certified_mail' })).toMatchObject({ status: 400 })
  expect(await mark({ delivery: 'in_person', mailNumber: '7020' })).toMatchObject({ status: 400 })
  expect(await mark({ delivery: 'by_dove' })).toMatchObject({ status: 400 })
  expect(await listGiven()).toEqual([])
  expect(await mark({ delivery: 'in_person' })).toMatchObject({ status: 200, body: { delivery: 'in_person' } })
  expect(await listGiven()).toMatchObject([
    {
      delivery: 'in_person',
      mailNumber: null,
      how: 'In writing, served personally or by certified mail. Email does not count.',
      requiredMail: 'certified mail',
    },
  ])
  expect(await facts()).toMatchObject({ Delivery: 'Handed over in person' })
})

test('a number alone means the mail that the law asks for, and another delivery corrects the mark', async () => {
  const { mark, withdraw, listGiven, letterInLedger, facts, id, request } = await aLetterDue({ law: 'new_york_leases' })
  expect(await mark({ mailNumber: '7020' })).toMatchObject({ body: { delivery: 'certified_mail' } })
  expect(await letterInLedger()).toMatchObject({ delivery: 'certified_mail', mailNumber: '7020' })
  expect(await facts()).toMatchObject({
    Delivery: 'Registered or certified mail',
    'Certified mail number': '7020',
  })
  expect(await mark({ delivery: 'in_person' })).toMatchObject({ body: { delivery: 'in_person', mailNumber: null } })
  expect(await facts()).toMatchObject({ Delivery: 'Handed over in person' })
  expect(await letterInLedger()).toMatchObject({ delivery: 'in_person', mailNumber: null })
  expect(await call(server, { url: `/contracts/${id}/notice`, headers: bearer(request) })).toMatchObject({
    body: { isGiven: true, notice: { delivery: 'in_person' } },
  })
  expect(await withdraw()).toMatchObject({ status: 204 })
  expect(await mark({ mailNumber: '7021' })).toMatchObject({ body: { delivery: 'certified_mail' } })
  expect(await listGiven()).toMatchObject([{ delivery: 'certified_mail', mailNumber: '7021' }])
})

test('by other rules it need not be said, and is kept where it is', async () => {
  for (const given of [{ law: 'wisconsin_business' }, { rule: { means: ['letter'], until: 1, from: 60 } }] as const) {
    const { mark, facts } = await aLetterDue({ ...given, contract: { noticePeriod: '10 days' } })
    expect(await mark({ mailNumber: '7020' })).toMatchObject({
      status: 200,
      body: { delivery: null, requiredMail: null },
    })
    expect(await facts()).not.toHaveProperty('Delivery')
    expect(await mark({ delivery: 'in_person' })).toMatchObject({ body: { delivery: 'in_person', mailNumber: null } })
    expect(await facts()).toMatchObject({ Delivery: 'Handed over in person' })
  }
})

test('a warning says how the law wants a letter delivered, in the app, by email and in the lists', async () => {
  const { warnedOn, request } = await aLetterDue()
  const said = 'Deliver a letter as the law requires: in writing, served personally or by certified mail.'
  const mails = await warnedOn('2026-03-10')
  expect(mails).toMatchObject([{ text: expect.stringContaining(said) }])
  expect(await notificationsOf(request)).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining(said) }),
  )
})
