import { describe, expect, test } from 'vitest'
import { DEFAULT_TEXTS, TEXT_KINDS } from '#shared/domain/reminder-text.ts'
import { WriteText, type TryText } from '#shared/schemas/reminder-texts.ts'
import type { RequestContext } from '#server/context.ts'
import { ledgerOf, withoutLinks } from '#support/ledger.ts'
import { aMailbox, noMailServer } from '#support/mailbox.ts'
import { NOON } from '#support/services.ts'
import { aContract, aCustomer, anAccount, asSubscriber, requestOf, requireReader, useWorld } from '#support/world.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { getTexts, previewText, resetText, saveText, sendTestText } from './texts.service.ts'

const world = useWorld()
const OWN = WriteText.parse({
  kind: 'reminder',
  subject: '{{customer}}: {{daysLeft}} left',
  body: 'Dear {{customer}},\n\nyour {{cycle}} contract renews {{when}}.\n\n{{details}}\n\n{{company}}',
})

function save(request: RequestContext, text = OWN) {
  return asSubscriber(request, (ctx) => saveText(ctx, text))
}

async function aRenewal(request: RequestContext, renewalDate: string, name = 'Harbor Bakery') {
  const { id: customerId } = await aCustomer(request, { name, email: 'orders@harbor.test' })
  return aContract(request, { customerId, renewalDate, startDate: '2025-01-01', amount: 1200.5 })
}

describe('the texts of an account', () => {
  test('are the defaults until it writes its own, and again once they are reset', async () => {
    const request = await anAccount(world)
    const texts = TEXT_KINDS.map((kind) => [kind, { ...DEFAULT_TEXTS[kind], isDefault: true }])
    const defaults = Object.fromEntries(texts)
    expect(await getTexts(requireReader(request))).toEqual(defaults)
    const { subject, body } = OWN
    expect(await save(request)).toEqual({ ...defaults, reminder: { subject, body, isDefault: false } })
    expect(await getTexts(requireReader(request))).toMatchObject({ reminder: { subject, isDefault: false } })
    expect(await asSubscriber(request, (ctx) => resetText(ctx, { kind: 'reminder' }))).toEqual(defaults)
  })

  test('that are the defaults again follow them', async () => {
    const request = await anAccount(world)
    await save(request)
    expect(await save(request, { kind: 'reminder', ...DEFAULT_TEXTS.reminder })).toMatchObject({
      reminder: { isDefault: true },
    })
  })

  test('are what its customers read, and what the ledger keeps when they are changed', async () => {
    const { mailer, received } = aMailbox()
    const request = await anAccount(world, { services: { mailer } })
    const { id } = await aRenewal(request, '2026-03-24')
    await save(request)
    await sendReminder(request, { id })
    const sent = { subject: 'Harbor Bakery: 14 days left', text: expect.stringContaining('Amount: $1,200.50 a month') }
    expect(received).toMatchObject([{ ...sent, html: expect.stringContaining('contract renews in 14 days.') }])
    await save(request, { ...OWN, subject: 'Changed' })
    const [row] = await ledgerOf(request)
    expect(row).toMatchObject({ subject: sent.subject, body: withoutLinks(received[0]?.text) })
  })

  test('are not those of another account', async () => {
    await save(await anAccount(world))
    expect(await getTexts(requireReader(await anAccount(world)))).toMatchObject({ reminder: { isDefault: true } })
  })
})

describe('links in a text', () => {
  const linked = { ...OWN, body: 'See www.evil.example' }

  test.each([
    { subject: 'www.evil.example' },
    { body: 'https://evil.example' },
    { body: 'Write to office@evil.example' },
    { body: 'ｅｖｉｌ．ｅｘａｍｐｌｅ' },
    { body: '{{company}}.example' },
  ])('are refused during the trial, and taken from somebody who pays: %j', async (changes) => {
    const text = { ...OWN, ...changes }
    const trial = await anAccount(world, { status: 'trialing' })
    await expect(asSubscriber(trial, (ctx) => saveText(ctx, text))).rejects.toMatchObject({ key: 'TEXT_HAS_LINKS' })
    expect(await getTexts(requireReader(trial))).toMatchObject({ [OWN.kind]: { isDefault: true } })
    const paid = await anAccount(world)
    await expect(asSubscriber(paid, (ctx) => saveText(ctx, text))).resolves.toMatchObject({ [OWN.kind]: changes })
  })

  test.each([
    ['taken while a later payment is late', new Date('2025-01-01T00:00:00Z'), undefined],
    ['refused while the first payment is late, which is no trial', NOON, expect.not.stringContaining('trial')],
  ])('are %s', async (_what, trialEnd, refusal) => {
    const request = await anAccount(world, { status: 'past_due' })
    await world.db.system.query('update subscriptions set trial_end = $2, past_due_since = $3 where account_id = $1', [
      request.caller?.id,
      trialEnd,
      NOON,
    ])
    const again = await requestOf(world, request.caller?.clerkUserId ?? '')
    const message = await save(again, { ...OWN, ...linked }).then(
      () => undefined,
      ({ message: said }) => said,
    )
    expect(message).toEqual(refusal)
  })

  test('the default texts are no reason to refuse', async () => {
    const trial = await anAccount(world, { status: 'trialing' })
    for (const kind of TEXT_KINDS) {
      const body = `${DEFAULT_TEXTS[kind].body}\n\nThank you.`
      await expect(
        asSubscriber(trial, (ctx) => saveText(ctx, { ...DEFAULT_TEXTS[kind], kind, body })),
      ).resolves.toBeDefined()
    }
  })

  test('from before, and in names, are none in what a trial sends', async () => {
    const { mailer, received } = aMailbox()
    const request = await anAccount(world, { status: 'trialing', services: { mailer } })
    const { subject, body } = { ...linked, subject: 'For {{customer}}' }
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(`insert into reminder_texts values (?, 'reminder', ?, ?)`, [request.caller?.id, subject, body]),
    )
    const { id: customerId } = await aCustomer(request, { name: 'Visit evil.example', email: 'orders@harbor.test' })
    await sendReminder(request, await aContract(request, { customerId }))
    expect(received).toMatchObject([
      { subject: 'For Visit evil. example', text: expect.stringContaining('See www. evil. example') },
    ])
    expect(received[0]?.html).not.toContain('evil.example')
  })
})

describe('a preview', () => {
  const preview = (request: RequestContext, text: TryText = OWN) => previewText(requireReader(request), text)

  test('shows the text with the contract that renews next, as text and as HTML, and sends and saves nothing', async () => {
    const { mailer, received } = aMailbox()
    const request = await anAccount(world, { services: { mailer } })
    await aRenewal(request, '2026-05-01', 'Later')
    await aRenewal(request, '2026-03-20')
    await aRenewal(request, '2026-03-01', 'Overdue')
    const shown = await preview(request)
    expect(shown).toMatchObject({
      subject: 'Harbor Bakery: 7 days left',
      customerName: 'Harbor Bakery',
      isExample: false,
    })
    expect(shown.text).toContain('your monthly contract renews in 7 days.\n\nAmount: $1,200.50 a month')
    expect(shown.html).toContain('Dear Harbor Bakery,')
    expect(received).toEqual([])
    expect(await getTexts(requireReader(request))).toMatchObject({ reminder: { isDefault: true } })
  })

  test('of a follow-up takes the contract that was due last, and one that is to come where none is late', async () => {
    const request = await anAccount(world)
    const text = { ...OWN, kind: 'follow_up', subject: '{{customer}} {{when}}' } as const
    await aRenewal(request, '2026-05-01')
    expect(await preview(request, text)).toMatchObject({ subject: 'Harbor Bakery 3 days ago' })
    await aRenewal(request, '2026-02-01', 'Late')
    await aRenewal(request, '2026-03-01', 'Latest')
    expect(await preview(request, text)).toMatchObject({ subject: 'Latest 3 days ago', isExample: false })
  })

  test.each([
    ['reminder', 'Agreed'],
    ['reminder_automatic', 'Automatic'],
    ['reminder_never', 'Ending'],
  ] as const)('of a %s takes a contract that renews like this, or an example', async (kind, name) => {
    const request = await anAccount(world)
    const text = { kind, subject: '{{customer}}: {{title}}', body: '{{contract}}' }
    expect(await preview(request, text)).toMatchObject({ subject: 'Example Customer: Web hosting', isExample: true })
    for (const [customer, renews] of [
      ['Automatic', 'automatic'],
      ['Agreed', 'by_agreement'],
      ['Ending', 'never'],
    ] as const) {
      const { id: customerId } = await aCustomer(request, { name: customer })
      const contract = { customerId, renews, startDate: '2025-01-01', renewalDate: '2026-03-20', title: 'Hosting' }
      await aContract(request, contract)
    }
    expect(await preview(request, text)).toMatchObject({ subject: `${name}: Hosting`, isExample: false })
  })

  test('without an open contract is an example that says so', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request)
    await aContract(request, { customerId, status: 'expired' })
    expect(await preview(request)).toMatchObject({ customerName: 'Example Customer', isExample: true })
  })

  test('takes the nearest contract of the customer who was chosen', async () => {
    const request = await anAccount(world)
    await aRenewal(request, '2026-03-20')
    const { customerId } = await aRenewal(request, '2026-05-01', 'Later')
    expect(await preview(request, { ...OWN, customerId })).toMatchObject({ customerName: 'Later', isExample: false })
    const { id } = await aCustomer(request, { name: 'New Customer' })
    expect(await preview(request, { ...OWN, customerId: id })).toMatchObject({
      subject: 'New Customer: 7 days left',
      isExample: true,
    })
  })

  test("has no link that would stop a real customer's reminders", async () => {
    const request = await anAccount(world)
    await aRenewal(request, '2026-03-20')
    const { html, text } = await preview(request)
    expect(text).toMatch(/Unsubscribe: \S+\/unsubscribe\/example\nReport this message: \S+\/report\/example$/)
    expect(html).toMatch(/href="[^"]+\/unsubscribe\/example"/)
    expect(html).toMatch(/href="[^"]+\/report\/example"/)
  })
})

describe('a test', () => {
  test('goes to the account itself, as customers would get it, and says so in its subject', async () => {
    const { mailer, received } = aMailbox()
    const request = await anAccount(world, { services: { mailer } })
    await aRenewal(request, '2026-03-20')
    const email = request.caller?.email ?? ''
    expect(await sendTestText(requireReader(request), OWN)).toEqual({ message: `Test sent to ${email}` })
    expect(received).toMatchObject([
      {
        to: [email],
        from: 'Alder Supplies <reminders@traxx.test>',
        replyTo: email,
        subject: 'Test: Harbor Bakery: 7 days left',
        text: expect.stringContaining('Alder Supplies'),
        unsubscribe: [],
      },
    ])
    expect(await ledgerOf(request)).toEqual([])
  })

  test('that the mail server does not take says so', async () => {
    const { mailer, fail } = aMailbox()
    const request = await anAccount(world, { services: { mailer } })
    fail(noMailServer())
    await expect(sendTestText(requireReader(request), OWN)).rejects.toMatchObject({ key: 'TEXT_TEST_FAILED' })
  })

  test('is not sent more than 20 times an hour, nor by somebody who may only read', async () => {
    const { mailer, received } = aMailbox()
    const request = await anAccount(world, { services: { mailer } })
    const reader = requireReader(request)
    for (let sent = 0; sent < 20; sent++) await sendTestText(reader, OWN)
    await expect(sendTestText(reader, OWN)).rejects.toMatchObject({ key: 'TOO_MANY_REQUESTS' })
    expect(received).toHaveLength(20)
    const unpaid = await anAccount(world, { status: 'unpaid', services: { mailer } })
    await expect(sendTestText(requireReader(unpaid), OWN)).rejects.toMatchObject({ key: 'PAYMENT_OVERDUE' })
  })
})
