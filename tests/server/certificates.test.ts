import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { certificateText } from '#shared/certificates/certificate.ts'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import { receiveMailEvent } from '#server/deliverability/mail-events.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { listReminders } from '#server/reminders/outbox.service.ts'
import { useApp } from '#support/app.ts'
import { ledgerOf } from '#support/ledger.ts'
import { signedMailEvent } from '#support/mail-event.ts'
import { aMailbox } from '#support/mailbox.ts'
import { fakeServices } from '#support/services.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)

/** An account whose customer has been sent a reminder, which was delivered. */
async function aDeliveredReminder() {
  const { mailer, received } = aMailbox()
  const request = await anAccount(world, { services: { mailer }, timeZone: 'America/New_York' })
  const { id: customerId } = await aCustomer(request, { name: 'Harbor Bakery', email: 'orders@harbor.test' })
  const contract = await aContract(request, {
    customerId,
    amount: 1200.5,
    title: 'Web hosting',
    noticePeriod: '30 days',
  })
  await sendReminder(request, contract)
  const [row] = await ledgerOf(request)
  const event = signedMailEvent({ event: 'delivered', messageId: row?.messageId?.slice(1, -1) ?? '' })
  await receiveMailEvent(request, Buffer.from(JSON.stringify(event)))
  return { request, received, id: row?.id ?? 0 }
}

/** The certificate of a message, as the person with the session gets it. */
function download({ request }: Pick<Awaited<ReturnType<typeof aDeliveredReminder>>, 'request'>, id: number | string) {
  const authorization = `Bearer session:${request.caller?.clerkUserId}`
  return server.app.inject({ url: `/reminders/${id}/certificate`, headers: { authorization } })
}

async function verdictOf(file: Uint8Array) {
  const key = await readProofKey(fakeServices().proofSigner.publicPem)
  return verifyCertificate(file, key ? [key] : [])
}

describe('the certificate of a message', () => {
  test('is a PDF that is genuine by itself, with what was sent and that it arrived', async () => {
    const reminder = await aDeliveredReminder()
    const { statusCode, headers, rawPayload } = await download(reminder, reminder.id)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="traxx-certificate-${reminder.id}.pdf"`,
    })
    expect((await PDFDocument.load(rawPayload)).getPageCount()).toBeLessThanOrEqual(2)
    const found = await verdictOf(rawPayload)
    if (found.verdict !== 'genuine') throw new Error(`It is ${found.verdict}`)
    expect(found.certificate.proved.map(({ record }) => record.kind)).toEqual(['sent', 'delivered'])
    const text = certificateText(found.certificate)
    for (const said of ['orders@harbor.test', 'Web hosting', '$1,200.50', 'America/New_York'])
      expect(text).toContain(said)
  })

  test('has the same bytes each time', async () => {
    const reminder = await aDeliveredReminder()
    const first = await download(reminder, reminder.id)
    expect((await download(reminder, reminder.id)).rawPayload).toEqual(first.rawPayload)
  })

  test('shows no link that acts for its reader', async () => {
    const reminder = await aDeliveredReminder()
    const [, token = ''] = /\/unsubscribe\/(\S+)/.exec(reminder.received[0]?.text ?? '') ?? []
    expect(token).not.toBe('')
    const found = await verdictOf((await download(reminder, reminder.id)).rawPayload)
    if (found.verdict !== 'genuine') throw new Error(`It is ${found.verdict}`)
    expect(certificateText(found.certificate)).not.toContain(token)
  })

  test('is nobody else’s, and there is none of a message that was not sent', async () => {
    const [mine, theirs] = [await aDeliveredReminder(), await aDeliveredReminder()]
    for (const id of [theirs.id, 999_999_999_999_999]) {
      const answer = await download(mine, id)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ refusal: 'CERTIFICATE_NOT_FOUND' })
    }
    expect((await download(mine, 'first')).statusCode).toBe(400)
  })

  test('is offered where there is one', async () => {
    const { request } = await aDeliveredReminder()
    const { rows } = await listReminders(requireReader(request), { limit: 10, skip: 0 })
    expect(rows).toMatchObject([{ hasCertificate: true }])
  })
})
