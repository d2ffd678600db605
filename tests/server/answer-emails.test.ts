import { describe, expect, test } from 'vitest'
import { DeclineAnswer } from '#shared/schemas/answers.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { UpdateCustomer } from '#shared/schemas/customers.ts'
import { MessageKey } from '#shared/schemas/reminders.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { addContact, changeContact, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { updateCustomer } from '#server/customers/customers.service.ts'
import { declineAnswer } from '#server/customer-answers/answers.service.ts'
import { LINK } from '#support/answering.ts'
import { ADDRESS, MINUTE, NOON, type Reminded, useReminded } from '#support/reminded-customers.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { sendReminderNow } from '#server/reminders/outbox-actions.service.ts'
import { aCustomer, COMPANY } from '#support/world.ts'

const { world, aReminded, answer } = useReminded()

test('a message about an answer that there is not is skipped, and holds up no other', async () => {
  const { request, id, customerId, send, rows, link, toCustomer } = await aReminded()
  await answer(link, 'renew')
  await world.db.writeAs(request.caller?.id ?? 0, (em) =>
    em.execute(
      `insert into reminders (account_id, contract_id, customer_id, customer_name, renewal_date, kind, offset_days, due_on,
        recipient, channel, state, planned_at, next_attempt_at)
      values (?, ?, ?, 'Harbor', '2026-03-17', 'answer', 9, '2026-03-10', 'owner', 'email', 'planned', ?, ?)`,
      [request.caller?.id, id, customerId, NOON, NOON],
    ),
  )
  await send()
  expect((await rows()).find(({ offset }) => offset === 9)).toMatchObject({
    state: 'skipped',
    reason: 'answer_changed',
  })
  expect(toCustomer().at(-1)?.subject).toContain('Your answer about your contract')
})

test('whoever answered reads that TRAXX sends it for the company, and can stop and report it', async () => {
  const { link, as, newest, send, toCustomer } = await aReminded()
  await answer(link, 'change', { words: 'We cannot pay more' })
  await send()
  const confirmation = toCustomer().at(-1)
  const id = await newest()
  await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: 'We talked about that' })))
  await send()
  const decision = toCustomer().at(-1)
  expect([confirmation?.subject, decision?.subject]).toEqual([
    `Your answer about your contract with ${COMPANY}`,
    `${COMPANY} has declined your request`,
  ])
  for (const mail of [confirmation, decision]) {
    const [stop = ''] = mail?.unsubscribe ?? []
    const report = stop.replace('/unsubscribe/', '/report/')
    expect(stop).toMatch(/^http:\/\/localhost:3000\/unsubscribe\/./)
    expect(mail?.text.split('\n-- \n')[1])
      .toBe(`TRAXX sent this email on behalf of ${COMPANY}. You are receiving it because you answered a reminder about your contract.
Unsubscribe: ${stop}
Report this message: ${report}`)
    for (const url of [stop, report]) expect(mail?.html).toContain(`href="${url}"`)
  }
})

describe('an email about an answer goes to nobody else', () => {
  test.each([
    [
      "the contract is another customer's by now",
      ['answer'],
      async ({ as, request, id }: Reminded) => {
        const { id: customerId } = await aCustomer(request, { name: 'Quay', email: 'cook@quay.test' })
        await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, customerId })))
      },
    ],
    [
      "the contract is another customer's by now, who has no address",
      ['answer'],
      async ({ as, request, id }: Reminded) => {
        const { id: customerId } = await aCustomer(request, { name: 'Quay' })
        await as((ctx) => updateContract(ctx, UpdateContract.parse({ id, customerId })))
      },
    ],
    [
      'the contact has another address by now',
      ['answer', 'reply'],
      async ({ as, customerId }: Reminded) => {
        await as((ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email: 'cook@quay.test' })))
      },
    ],
  ] as const)('where %s, and the owner is told', async (_where, kinds, change) => {
    const reminded = await aReminded()
    const { link, as, newest, send, received, rows, notices } = reminded
    await answer(link, 'change', { words: 'We cannot pay more' })
    await change(reminded)
    await send()
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: 'We talked about that' })))
    await send()
    expect(received.filter(({ to }) => to.includes('cook@quay.test'))).toEqual([])
    const skipped = (await rows()).filter(({ reason }) => reason === 'reader_changed')
    expect(skipped.map(({ kind }) => kind).toSorted()).toEqual(kinds)
    for (const row of skipped) expect(row).toMatchObject({ recipient: 'customer', state: 'skipped' })
    const told = (await notices()).filter(({ title }) => title === 'An email to Harbor was not sent')
    const why = 'The contact who answered now has a different address, or the contract belongs to another customer.'
    const what = {
      answer: `The confirmation that their answer arrived was not sent to ${ADDRESS}. ${why}`,
      reply: `Your decision about their answer was not sent to ${ADDRESS}. ${why}`,
    }
    expect(told.map(({ message }) => message).toSorted()).toEqual(kinds.map((kind) => what[kind]))
    for (const { actionUrl } of told) expect(actionUrl).toBe(`/contracts?open=${reminded.id}`)
  })
})

describe('an email about an answer goes to whoever answered', () => {
  const ADA = 'ada@harbor.test'
  const REPLY = 'We talked about that'
  const words = 'We cannot pay more'

  /** A reminder was sent to the first contact and to Ada, who is another one, with a link for each. */
  async function aRemindedPair() {
    const reminded = await aReminded()
    const { as, customerId, pass, plan, received } = reminded
    const ada = await as((ctx) => addContact(ctx, AddContact.parse({ id: customerId, name: 'Ada', email: ADA })))
    pass(8 * 24 * 60 * MINUTE)
    await plan()
    const linkTo = (address: string) =>
      LINK.exec(received.findLast(({ to }) => to.includes(address))?.text ?? '')?.[1] ?? ''
    return { ...reminded, ada, linkOfFirst: linkTo(ADDRESS), linkOfAda: linkTo(ADA) }
  }

  async function decline({ as, newest, send }: Reminded) {
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: REPLY })))
    await send()
  }

  /** Where the emails to customers about answers went, and as which contact's they are in the ledger. */
  async function told({ rows, received }: Reminded) {
    const about = (await rows()).filter((row) => row.recipient === 'customer' && /answer|reply/.test(row.kind))
    return {
      rows: about.map(({ kind, state, address, contactId, contactName }) => [
        kind,
        state,
        address,
        contactId,
        contactName,
      ]),
      gotReply: received.filter(({ text }) => text.includes(REPLY)).flatMap(({ to }) => to),
    }
  }

  test('as another contact than the first', async () => {
    const reminded = await aRemindedPair()
    const { linkOfAda, ada, send } = reminded
    await answer(linkOfAda, 'change', { words })
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', ADA, ada.id, 'Ada'],
      ['reply', 'sent', ADA, ada.id, 'Ada'],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: [ADA] })
  })

  test.each([
    ['before any of it is sent', 'first'],
    ['before the decision', 'last'],
  ] as const)('as the first contact, where another one has been made the first %s', async (_when, sent) => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, send } = reminded
    await answer(linkOfFirst, 'change', { words })
    if (sent === 'last') await send()
    await as((ctx) => makeFirst(ctx, ada))
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', ADDRESS, ada.id, 'Harbor'],
      ['reply', 'sent', ADDRESS, ada.id, 'Harbor'],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: [ADDRESS] })
  })

  test('also where the new first contact has the same mailbox', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, send } = reminded
    await answer(linkOfFirst, 'change', { words })
    const { version } = await as((ctx) => changeContact(ctx, { id: ada.id, email: ADDRESS.toUpperCase() }))
    await as((ctx) => makeFirst(ctx, { id: ada.id, version }))
    await send()
    await decline(reminded)
    expect((await told(reminded)).rows).toEqual([
      ['answer', 'sent', ADDRESS, ada.id, 'Harbor'],
      ['reply', 'sent', ADDRESS, ada.id, 'Harbor'],
    ])
  })

  test('also if its owner has it sent at once', async () => {
    const reminded = await aRemindedPair()
    const { request, as, ada, linkOfFirst, newest, send, rows, pass } = reminded
    await answer(linkOfFirst, 'change', { words })
    await send()
    pass(24 * 60 * MINUTE)
    const { version } = await as((ctx) => changeContact(ctx, { id: ada.id, email: ADDRESS.toUpperCase() }))
    await as((ctx) => makeFirst(ctx, { id: ada.id, version }))
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: REPLY })))
    await sendReminderNow(request, MessageKey.parse((await rows()).find(({ kind }) => kind === 'reply')))
    expect((await told(reminded)).gotReply).toEqual([ADDRESS])
  })

  test('who can answer by a link of before although another contact was made the first while the contract was in the trash', async () => {
    const reminded = await aRemindedPair()
    const { as, id, ada, linkOfFirst, send } = reminded
    await as((ctx) => removeContract(ctx, { id }))
    await as((ctx) => makeFirst(ctx, ada))
    await as((ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
    await answer(linkOfFirst, 'change', { words })
    await send()
    expect((await told(reminded)).rows).toEqual([['answer', 'sent', ADDRESS, ada.id, 'Harbor']])
  })

  test('as another contact, which has been made the first since', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfAda, send } = reminded
    await answer(linkOfAda, 'change', { words })
    await as((ctx) => makeFirst(ctx, ada))
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', ADA, 0, null],
      ['reply', 'sent', ADA, 0, null],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: [ADA] })
  })

  test('who also can change the answer after another contact was made the first, as others can still answer', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, linkOfAda, rows } = reminded
    await answer(linkOfFirst, 'change', { words })
    await as((ctx) => makeFirst(ctx, ada))
    await answer(linkOfFirst, 'change', { words: 'Half as many seats' })
    expect((await rows()).filter(({ kind }) => kind === 'answer').length).toBeGreaterThan(2)
    await answer(linkOfAda, 'change', { words })
  })

  test('or to nobody where that contact is gone, and the owner is told', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfAda, send, notices, received } = reminded
    await answer(linkOfAda, 'change', { words })
    await send()
    await as((ctx) => removeContact(ctx, { id: ada.id }))
    await decline(reminded)
    expect(received.filter(({ text }) => text.includes(REPLY))).toEqual([])
    expect(await notices()).toContainEqual(
      expect.objectContaining({
        message: `Your decision about their answer was not sent to ${ADA}. This contact no longer gets reminders.`,
      }),
    )
  })

  test('and a decision that waits when another contact is made the first still arrives', async () => {
    const reminded = await aRemindedPair()
    const { as, ada, linkOfFirst, newest, send } = reminded
    await answer(linkOfFirst, 'change', { words })
    const id = await newest()
    await as((ctx) => declineAnswer(ctx, DeclineAnswer.parse({ id, reply: REPLY })))
    await as((ctx) => makeFirst(ctx, ada))
    await send()
    expect((await told(reminded)).gotReply).toEqual([ADDRESS])
  })

  test('whose address has only been written in another case since', async () => {
    const reminded = await aReminded()
    const { as, link, customerId, send } = reminded
    await answer(link, 'change', { words })
    const email = 'Orders@HARBOR.test'
    await as((ctx) => updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email })))
    await send()
    await decline(reminded)
    const rows = [
      ['answer', 'sent', email, 0, null],
      ['reply', 'sent', email, 0, null],
    ]
    expect(await told(reminded)).toEqual({ rows, gotReply: ['Orders@harbor.test'] })
  })
})
