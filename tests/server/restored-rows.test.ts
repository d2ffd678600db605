import fc from 'fast-check'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { addDays } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { UpdateContract } from '#shared/schemas/contracts.ts'
import { SaveContractSettings } from '#shared/schemas/reminders.ts'
import { addNote } from '#server/activity/notes.service.ts'
import { addContact } from '#server/contacts/contacts.service.ts'
import { requireReader, type RequestContext, type SubscriberContext } from '#server/context.ts'
import { removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { endContract, renewContract } from '#server/contracts/renewals.service.ts'
import { removeCustomer } from '#server/customers/customers.service.ts'
import { muteContract, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import { aContract, aCustomer, anAccount, asSubscriber, TODAY, useWorld } from '#support/world.ts'

const world = useWorld()
const RUNS = 25

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const words = fc.constantFrom('Cleaning', 'É 東京', 'a, "b"', "O'Neil")
const tags = fc.uniqueArray(fc.constantFrom('north', 'Élite', 'vip'), { maxLength: 3 })
const days = (from: number, to: number) => fc.integer({ min: from, max: to }).map((count) => addDays(TODAY, count))

const CUSTOMER = fc.record({
  address: maybe(words),
  phone: maybe(fc.constant('555')),
  customerNumber: maybe(fc.constant('C-1')),
  email: maybe(fc.constant('orders@harbor.test')),
  contactName: maybe(words),
  contactRole: maybe(words),
  sendNotifications: fc.boolean(),
  tags,
})
const CONTRACT = fc.record({
  amount: fc.integer({ min: 1, max: 1e6 }),
  renewalCycle: fc.constantFrom('monthly', 'quarterly', 'yearly'),
  renewalDate: days(-20, 60),
  status: fc.constantFrom('pending', 'active', 'expired', 'cancelled'),
  title: maybe(words),
  renews: fc.constantFrom('automatic', 'by_agreement', 'never'),
  tags,
})
const ACTS = fc.uniqueArray(
  fc.constantFrom(
    'renew',
    'end',
    'schedule',
    'noteOnContract',
    'noteOnCustomer',
    'contact',
    'settings',
    'mute',
    'pdf',
    'import',
  ),
)

const TABLES = [
  'customers',
  'contracts',
  'customer_contacts',
  'contract_terms',
  'contract_decisions',
  'contract_reminder_preferences',
  'notes',
]

/** All that customers and contracts of the account consist of, but how often their rows were changed. */
async function storedRows(request: RequestContext): Promise<Record<string, unknown>> {
  const { accountId } = requireReader(request)
  const stored: Record<string, unknown> = {}
  for (const table of TABLES)
    stored[table] = await world.db.readAs(accountId, { trash: true })(
      sql`select to_jsonb(t) - 'version' as row from ${raw(table)} t where account_id = ${accountId} order by to_jsonb(t)::text`,
      z.object({ row: z.record(z.string(), z.unknown()) }),
    )
  return stored
}

interface Ids {
  id: number
  customerId: number
}

const IMPORTED = (accountId: number) => sql`
  with i as (insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
    values (${accountId}, 'contracts', 'a.csv', '', '[]', 1, now()) returning id),
  c as (update customers set import_id = i.id, edited_at = null from i where customers.account_id = ${accountId})
  update contracts set import_id = i.id, edited_at = null from i where contracts.account_id = ${accountId}`

const DO: Record<string, (ctx: SubscriberContext, ids: Ids) => Promise<unknown>> = {
  renew: (ctx, { id }) => renewContract(ctx, { id, from: 'term' }),
  end: (ctx, { id }) => endContract(ctx, { id, reason: 'Price' }),
  schedule: (ctx, { id }) => updateContract(ctx, UpdateContract.parse({ id, nextAmount: 7, noticePeriod: '30 days' })),
  noteOnContract: (ctx, { id }) => addNote(ctx, { about: 'contract', id, text: 'Call' }),
  noteOnCustomer: (ctx, { customerId: id }) => addNote(ctx, { about: 'customer', id, text: 'Call' }),
  contact: (ctx, { customerId: id }) =>
    addContact(ctx, AddContact.parse({ id, name: 'Ada', email: 'ada@harbor.test' })),
  mute: (ctx, { id }) => muteContract(ctx, { id, reminders: 'off' }),
  settings: (ctx, { id }) => saveContractSettings(ctx, OWN_SETTINGS(id)),
  pdf: ({ write, accountId }, { id }) =>
    write(
      sql`update contracts set pdf_path = ${`${id}.pdf`}, pdf_bytes = 5 where account_id = ${accountId} and id = ${id}`,
    ),
  import: ({ write, accountId }) => write(IMPORTED(accountId)),
}

const OWN_SETTINGS = (id: number) =>
  SaveContractSettings.parse({
    id,
    enableNotifications: false,
    reminderDays: [7],
    followUpDays: null,
    email: null,
    inApp: true,
  })

/** Closed contracts refuse some of it. */
async function act(request: RequestContext, name: string, ids: Ids): Promise<void> {
  await asSubscriber(request, async (ctx) => DO[name]?.(ctx, ids)).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
}

test.each(['contract', 'contract and customer', 'customer of deleted contract'])(
  'whatever a %s has is the same after it was deleted and restored',
  async (deleted) => {
    await fc.assert(
      fc.asyncProperty(CUSTOMER, CONTRACT, ACTS, async (customer, contract, acts) => {
        const request = await anAccount(world)
        const { id: customerId } = await aCustomer(request, customer)
        const { id } = await aContract(request, { ...contract, customerId })
        for (const name of acts) await act(request, name, { id, customerId })
        const before = await storedRows(request)
        expect(before).toMatchObject({ customers: [{}], contracts: [{}] })
        await asSubscriber(request, (ctx) => removeContract(ctx, { id }))
        if (deleted !== 'contract') await asSubscriber(request, (ctx) => removeCustomer(ctx, { id: customerId }))
        const customers = deleted === 'customer of deleted contract' ? [customerId] : []
        await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers, contracts: [] }))
        await asSubscriber(request, (ctx) => restoreFromTrash(ctx, { customers: [], contracts: [id] }))
        expect(await storedRows(request)).toEqual(before)
      }),
      { numRuns: RUNS },
    )
  },
)
