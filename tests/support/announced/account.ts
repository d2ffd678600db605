import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Day } from '#shared/domain/day.ts'
import { OFFERED } from '#shared/domain/customer-answer.ts'
import { AppError } from '#shared/errors.ts'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { CreateCustomer, UpdateCustomer } from '#shared/schemas/customers.ts'
import { ChooseNoticeRule, MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { PostNotice } from '#shared/schemas/notices.ts'
import { MessageKey, SaveReminderSettings } from '#shared/schemas/reminders.ts'
import { SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import { addContact } from '#server/contacts/contacts.service.ts'
import { asSubscriber, requireReader, type RequestContext } from '#server/context.ts'
import { createContract, getContract, updateContract } from '#server/contracts/contracts.service.ts'
import { endContract, reopenContract } from '#server/contracts/renewals.service.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { createCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { columnName } from '#server/db/columns.ts'
import { closeAddress } from '#server/deliverability/unsubscribe.service.ts'
import { chooseNoticeRule } from '#server/notice-rules/notice-choices.service.ts'
import { makeNoticeRule } from '#server/notice-rules/notice-rules.service.ts'
import { postNotice } from '#server/notices/post-notice.service.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { contractReminders, muteContract, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import { skipReminder, snoozeReminder } from '#server/reminders/outbox-actions.service.ts'
import { renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { TAGS, type Drawn, type DrawnContract, type DrawnEvent } from './draw.ts'

/** An account of which only what was drawn decides what happens. */
export class DrawnAccount {
  readonly customers: number[] = []
  /** By their places; those that are not there yet are missing. */
  readonly contracts = new Map<number, number>()
  readonly #rules: number[] = []
  readonly drawn: Drawn
  readonly request: RequestContext
  readonly day: (days: number) => Day

  constructor(drawn: Drawn, request: RequestContext, day: (days: number) => Day) {
    this.drawn = drawn
    this.request = request
    this.day = day
  }

  get id(): number {
    return this.reader().accountId
  }

  reader() {
    return requireReader(this.request)
  }

  as<Result>(work: Parameters<typeof asSubscriber<Result>>[1]): Promise<Result> {
    return asSubscriber(this.request, work)
  }

  view(place: number) {
    return getContract(this.reader(), { id: this.contracts.get(place) ?? 0 })
  }

  async begin(): Promise<void> {
    const { settings, rules, customers, choices } = this.drawn
    const notificationMethods = { email: false, inApp: false }
    await this.as((ctx) => saveSettings(ctx, SaveReminderSettings.parse({ ...settings, notificationMethods })))
    await this.as((ctx) => createCustomer(ctx, CreateCustomer.parse({ name: 'Nobody', tags: TAGS })))
    for (const rule of rules)
      this.#rules.push((await this.as((ctx) => makeNoticeRule(ctx, MakeNoticeRule.parse(rule)))).id)
    for (const [place, { contacts, ...fields }] of customers.entries()) {
      const customer = CreateCustomer.parse({ name: `Customer ${place}`, customerNumber: `C${place}`, ...fields })
      const { id } = await this.as((ctx) => createCustomer(ctx, customer))
      this.customers.push(id)
      for (const contact of contacts)
        await this.as((ctx) => addContact(ctx, AddContact.parse({ id, name: 'Other', ...contact })))
    }
    for (const choice of choices) if (choice.contract === undefined) await this.#choose(choice)
    const renewals = SaveRenewalSettings.parse({
      confirmRenewals: false,
      endOverdueAfterDays: null,
      endReasons: ['Price'],
    })
    await this.as((ctx) => saveRenewalSettings(ctx, renewals))
  }

  async #choose({ rule, tag, customer, contract }: Drawn['choices'][number]): Promise<void> {
    const chosen = {
      rule: rule === 'none' ? rule : this.#rules[rule],
      tag,
      customerId: customer === undefined ? undefined : this.customers[customer],
      contractId: contract === undefined ? undefined : this.contracts.get(contract),
    }
    await this.as((ctx) => chooseNoticeRule(ctx, ChooseNoticeRule.parse(chosen)))
  }

  /** What happens at a step before the act. */
  async pass(step: number): Promise<void> {
    for (const [place, contract] of this.drawn.contracts.entries())
      if (contract.at === step) {
        await this.add(contract, place)
        for (const choice of this.drawn.choices) if (choice.contract === place) await this.#choose(choice)
      }
    for (const event of this.drawn.past) {
      if (event.at !== step || !this.contracts.has(event.contract)) continue
      await this.#happen(event).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
      })
    }
  }

  async add(
    { customer, renewsIn, nextCycle, ...terms }: Omit<DrawnContract, 'at' | 'nextCycle'> & Partial<DrawnContract>,
    place: number,
  ) {
    const dates = { startDate: '2020-01-01', renewalDate: this.day(renewsIn) }
    const named = { customerId: this.customers[customer], reference: `R${place}`, amount: 100 }
    const { id } = await this.as((ctx) => createContract(ctx, CreateContract.parse({ ...terms, ...dates, ...named })))
    this.contracts.set(place, id)
    if (nextCycle) await this.update(place, { nextCycle })
  }

  async update(place: number, changes: object): Promise<void> {
    const input = UpdateContract.parse({ id: this.contracts.get(place), ...changes })
    await this.as((ctx) => updateContract(ctx, input))
  }

  async reopen(place: number): Promise<void> {
    await this.as((ctx) => reopenContract(ctx, { id: this.contracts.get(place) ?? 0 }))
  }

  async #happen({ kind, contract: place, days, isFirst }: DrawnEvent): Promise<unknown> {
    const { request } = this
    const id = this.contracts.get(place) ?? 0
    const { customerId, renewalDate } = await this.view(place)
    const { email = null } = this.drawn.customers[this.customers.indexOf(customerId)] ?? {}
    const later = this.day(days)
    switch (kind) {
      case 'end':
        return this.as((ctx) => endContract(ctx, { id, reason: 'Price', on: isFirst ? undefined : later }))
      case 'reopen':
        return this.reopen(place)
      case 'mute':
        return this.as((ctx) => muteContract(ctx, { id, reminders: isFirst ? 'off' : 'on' }))
      case 'own settings': {
        const own = isFirst
          ? { enableNotifications: null, reminderDays: [14, 3] }
          : { enableNotifications: false, reminderDays: null }
        return this.as((ctx) => saveContractSettings(ctx, { id, ...own, followUpDays: null, email: null, inApp: null }))
      }
      case 'post':
        return this.as((ctx) => postNotice(ctx, PostNotice.parse({ id, on: ctx.today })))
      case 'bounce':
        return this.#bounce(isFirst ? email : null)
      case 'unsubscribe':
        return this.as(({ write, accountId, services }) =>
          closeAddress(write, {
            accountId,
            address: email ?? 'shared@x.test',
            reason: 'unsubscribed',
            now: services.now(),
          }),
        )
      case 'new address':
        return this.as((ctx) =>
          updateCustomer(ctx, UpdateCustomer.parse({ id: customerId, email: isFirst ? 'new@x.test' : null })),
        )
      case 'send by hand':
        return sendReminder(request, { id })
      case 'move':
        return this.update(place, { renewalDate: later })
      case 'move back':
        return this.update(place, { renewalDate: this.day(this.drawn.contracts[place]?.renewsIn ?? 0) })
      case 'renew':
        return this.as((ctx) => renewByHand(ctx, { id, confirm: isFirst }))
      case 'skip':
      case 'snooze': {
        const { next } = await contractReminders(this.reader(), { id })
        const message = next.find(({ recipient }) => recipient === 'customer')
        if (!message) return undefined
        const key = MessageKey.parse({ ...message, contractId: id, renewalDate })
        if (kind === 'skip') return this.as((ctx) => skipReminder(ctx, key))
        return this.as((ctx) => snoozeReminder(ctx, { ...key, until: later }))
      }
      case 'answer':
        return this.#answer(id)
    }
  }

  /** What was sent to one address, or to all. */
  async #bounce(address: string | null): Promise<void> {
    await this.request.db.writeAs(this.id, (em) =>
      em.execute(
        `with returned as (
            update reminders set state = 'bounced', bounced_at = ?, answer = '550 no such user'
            where state = 'sent' and channel = 'email' and address = coalesce(?::text, address)
            returning account_id, address, bounced_at, answer)
          insert into bounced_addresses (account_id, address, bounced_at, answer)
          select distinct account_id, lower(address), bounced_at, answer from returned on conflict do nothing`,
        [this.request.services.now(), address],
      ),
    )
  }

  /** As if the customer had said that the contract is to be changed. */
  async #answer(id: number): Promise<void> {
    const offer = OFFERED.map((name) => `'${name}', k.${columnName(name)}`).join(', ')
    await this.request.db.writeAs(this.id, (em) =>
      em.execute(
        `insert into customer_answers (account_id, contract_id, customer_id, customer_name, term_number, number, contact_id,
            address, choice, state, offer, answered_at)
          select k.account_id, k.id, k.customer_id, 'Customer', k.term_number, 1, 0, 'one@x.test', 'change', 'waiting',
            jsonb_build_object(${offer}), ? from contracts k where k.id = ? on conflict do nothing`,
        [this.request.services.now(), id],
      ),
    )
  }

  /** The renewal dates of a contract of which anything is recorded. */
  async datesKnown(place: number): Promise<string[]> {
    const id = this.contracts.get(place) ?? 0
    const statement = sql`
      select renewal_date::text as date from contracts where account_id = ${this.id} and id = ${id}
      union select renewal_date::text from reminders where account_id = ${this.id} and contract_id = ${id}
      union select renewal_date::text from notices where account_id = ${this.id} and contract_id = ${id}`
    const rows = await this.request.db.readAs(this.id)(statement, z.object({ date: z.string() }))
    return rows.map(({ date }) => date)
  }

  /** The numbers of the terms in which the contracts are now, by their places. */
  async terms(): Promise<Map<number, number>> {
    const terms = new Map<number, number>()
    for (const place of this.contracts.keys()) terms.set(place, (await this.view(place)).term)
    return terms
  }

  /** The emails to customers that have gone out, in the order of their days. */
  async sent(): Promise<SentEmail[]> {
    const statement = sql`
      select id::float8 as id, contract_id as "contractId", term_number as "termNumber", customer_name as "customerName", kind,
        sent_on::text as day, message_id as "messageId", lower(address) as address
      from reminders where account_id = ${this.id} and recipient = 'customer' and channel = 'email'
        and sent_on is not null order by sent_on, contract_id, address`
    const rows = await this.request.db.readAs(this.id)(statement, SentRow)
    const places = new Map([...this.contracts].map(([place, id]) => [id, place]))
    return rows.map(({ contractId, ...row }) => ({ ...row, place: places.get(contractId) ?? -1 }))
  }
}

const SentRow = z.object({
  id: z.number(),
  contractId: z.int(),
  termNumber: z.int(),
  customerName: z.string(),
  kind: z.string(),
  day: z.string(),
  messageId: z.string().nullable(),
  address: z.string().nullable(),
})
export type SentEmail = Omit<z.output<typeof SentRow>, 'contractId'> & { place: number }
