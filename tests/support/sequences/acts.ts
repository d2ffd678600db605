import fc from 'fast-check'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { PRICE_CHANGES } from '#shared/domain/price-change.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { CreateContract, UpdateContract } from '#shared/schemas/contracts.ts'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { BulkUpload, ListImports } from '#shared/schemas/imports.ts'
import { RestoreFromTrash } from '#shared/schemas/trash.ts'
import { DEFAULT_END_REASONS, EndContract, RenewContract, SaveRenewalSettings } from '#shared/schemas/renewals.ts'
import { latestBulk, startBulk, undoBulk } from '#server/bulk/bulk.service.ts'
import { runBulkChanges } from '#server/bulk/run-bulk-changes.ts'
import { asSubscriber, requireReader, type RequestContext } from '#server/context.ts'
import { createContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { endContract, reopenContract, undoDecision } from '#server/contracts/renewals.service.ts'
import { createCustomer } from '#server/customers/customers.service.ts'
import { importFile } from '#server/imports/import-file.ts'
import { listImports, undoImport } from '#server/imports/imports.service.ts'
import { muteContract } from '#server/reminders/contract-reminders.service.ts'
import { planReminders } from '#server/reminders/plan-reminders.ts'
import { sendReminders } from '#server/reminders/sending/send-reminders.ts'
import { renewByHand } from '#server/renewals/renew-by-hand.service.ts'
import { renewContracts } from '#server/renewals/renew-contracts.ts'
import { restoreFromTrash } from '#server/trash/trash.service.ts'
import type { Play } from './play.ts'

/** Something that people or TRAXX do. */
export interface Act {
  perform: (play: Play) => Promise<void>
  [fc.toStringMethod]: () => string
}

interface Kind<Given> {
  name: string
  weight: number
  given: fc.Arbitrary<Given>
  perform: (play: Play, given: Given) => Promise<unknown>
}

function kindOf<Given>({ name, weight, given, perform }: Kind<Given>): fc.WeightedArbitrary<Act> {
  const arbitrary = given.map((drawn): Act => {
    const text = `${name} ${fc.stringify(drawn)}`
    const done = async (play: Play) => void (await perform(play, drawn))
    return { perform: done, [fc.toStringMethod]: () => text }
  })
  return { weight, arbitrary }
}

/** A place in the list of contracts, or of what else there is. */
const place = fc.nat(5)
const amount = fc.integer({ min: 1, max: 500 })
const cycle = fc.constantFrom(...RENEWAL_CYCLES)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const from = fc.constantFrom('term', 'today')

/** Days from today; many of them such that a message falls due before long. */
const renewalIn = fc.oneof(fc.constantFrom(-6, -2, 2, 8, 15, 31), fc.integer({ min: -60, max: 60 }))
const someDays = fc.oneof({ weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 5, max: 35 }))

const create = kindOf({
  name: 'create',
  weight: 2,
  given: fc.record({
    amount,
    renewalCycle: cycle,
    age: fc.integer({ min: 60, max: 900 }),
    renewalIn,
    renews: fc.constantFrom(...RENEWS, 'automatic'),
    status: fc.constantFrom(...CONTRACT_STATUSES, 'active', 'active', 'active'),
  }),
  perform: (play, { age, renewalIn: days, ...fields }) =>
    play.step('create', async ({ request, day }) => {
      const dates = { startDate: day(-age), renewalDate: day(days) }
      const reference = play.newReference
      await asSubscriber(request, async (ctx) => {
        const customer = CreateCustomer.parse({ name: 'Harbor', email: 'orders@harbor.test' })
        const { id: customerId } = await createCustomer(ctx, customer)
        await createContract(ctx, CreateContract.parse({ customerId, reference, ...fields, ...dates }))
      })
    }),
})

const KINDS: fc.WeightedArbitrary<Act>[] = [
  create,
  kindOf({
    name: 'renew',
    weight: 6,
    given: fc.record({
      place,
      amount: maybe(amount),
      renewalCycle: maybe(cycle),
      renewalIn: maybe(renewalIn),
      from: maybe(from),
      seesTerm: fc.boolean(),
      confirm: maybe(fc.boolean()),
    }),
    perform: (play, { place: at, renewalIn: days, seesTerm, ...fields }) =>
      play.stepOn('renew', at, async ({ request, day }, { id, row }) => {
        const term = seesTerm ? row['term_number'] : undefined
        const renewalDate = days === undefined ? undefined : day(days)
        const input = RenewContract.parse({ id, term, renewalDate, ...fields })
        await asSubscriber(request, (ctx) => renewByHand(ctx, input))
      }),
  }),
  kindOf({
    name: 'end',
    weight: 3,
    given: fc.record({ place, endsIn: maybe(fc.integer({ min: 0, max: 40 })) }),
    perform: (play, { place: at, endsIn }) =>
      play.stepOn('end', at, async ({ request, day }, { id }) => {
        const input = EndContract.parse({ id, reason: 'Price', on: endsIn === undefined ? undefined : day(endsIn) })
        await asSubscriber(request, (ctx) => endContract(ctx, input))
      }),
  }),
  kindOf({
    name: 'reopen',
    weight: 2,
    given: place,
    perform: (play, at) =>
      play.stepOn('reopen', at, ({ request }, { id }) => asSubscriber(request, (ctx) => reopenContract(ctx, { id }))),
  }),
  kindOf({
    name: 'undo',
    weight: 8,
    given: place,
    perform: (play, at) =>
      play.stepOn('undo', at, ({ request }, { id }) => asSubscriber(request, (ctx) => undoDecision(ctx, { id }))),
  }),
  kindOf({
    name: 'edit',
    weight: 4,
    given: fc.record({
      place,
      amount: maybe(amount),
      renewalCycle: maybe(cycle),
      age: maybe(fc.integer({ min: 1, max: 900 })),
      renewalIn: maybe(renewalIn),
      status: maybe(fc.constantFrom(...CONTRACT_STATUSES)),
      renews: maybe(fc.constantFrom(...RENEWS)),
      title: maybe(fc.constantFrom('Hosting', 'Cleaning')),
      tags: maybe(fc.constantFrom(['Retail'], ['VIP', 'Retail'])),
    }),
    perform: (play, { place: at, age, renewalIn: days, ...fields }) =>
      play.stepOn('edit', at, async ({ request, day }, { id }) => {
        const startDate = age === undefined ? undefined : day(-age)
        const renewalDate = days === undefined ? undefined : day(days)
        const input = UpdateContract.parse({ id, ...fields, startDate, renewalDate })
        await asSubscriber(request, (ctx) => updateContract(ctx, input))
      }),
  }),
  kindOf({
    name: 'schedule',
    weight: 2,
    given: fc.record({ place, nextAmount: fc.option(amount), nextCycle: fc.option(cycle) }),
    perform: (play, { place: at, ...fields }) =>
      play.stepOn('schedule', at, ({ request }, { id }) =>
        asSubscriber(request, (ctx) => updateContract(ctx, UpdateContract.parse({ id, ...fields }))),
      ),
  }),
  kindOf({
    name: 'delete',
    weight: 1,
    given: place,
    perform: (play, at) =>
      play.stepOn('delete', at, ({ request }, { id }) => asSubscriber(request, (ctx) => removeContract(ctx, { id }))),
  }),
  kindOf({
    name: 'restore',
    weight: 2,
    given: place,
    perform: (play, at) =>
      play.stepOn('restore', at, ({ request }, { id }) => {
        const input = RestoreFromTrash.parse({ contracts: [id] })
        return asSubscriber(request, (ctx) => restoreFromTrash(ctx, input))
      }),
  }),
  kindOf({
    name: 'change many',
    weight: 3,
    given: fc.record({
      action: fc.constantFrom('renew', 'renew', 'end', 'end', 'change_price', 'change_price', 'tag', 'delete'),
      add: fc.constantFrom(['VIP'], ['North', 'vip']),
      remove: fc.constantFrom([], ['Retail']),
      from,
      on: fc.constantFrom('renewal_date', 'today'),
      price: fc.record({ by: fc.constantFrom(...PRICE_CHANGES), value: amount }),
    }),
    perform: async (play, given) => {
      const input = BulkChange.parse({ ...given, reason: 'Service', contracts: { filter: {} } })
      await play.step('select many', ({ request }) => asSubscriber(request, (ctx) => startBulk(ctx, input)))
      await play.step('change many', ({ runJob }) => runJob('bulk-changes', runBulkChanges))
    },
  }),
  kindOf({
    name: 'undo many',
    weight: 3,
    given: fc.constant({}),
    perform: async (play) => {
      await play.step('select what to undo', async ({ request }) => {
        const latest = await latestBulk(requireReader(request))
        if (latest) await asSubscriber(request, (ctx) => undoBulk(ctx, { id: latest.id }))
      })
      await play.step('undo many', ({ runJob }) => runJob('bulk-changes', runBulkChanges))
    },
  }),
  kindOf({
    name: 'mute',
    weight: 1,
    given: fc.record({ place, reminders: fc.constantFrom('on', 'off') }),
    perform: (play, { place: at, reminders }) =>
      play.stepOn('mute', at, ({ request }, { id }) =>
        asSubscriber(request, (ctx) => muteContract(ctx, { id, reminders })),
      ),
  }),
  kindOf({
    name: 'import updates',
    weight: 4,
    given: fc.record({
      rows: fc.array(
        fc.record({
          place,
          amount: maybe(amount),
          renewalCycle: maybe(cycle),
          renewalIn: maybe(renewalIn),
          status: fc.constantFrom(undefined, undefined, undefined, 'active', 'cancelled'),
          renews: maybe(fc.constantFrom(...RENEWS)),
          tags: maybe(fc.constantFrom('VIP', 'Retail;North')),
          seesTerm: fc.boolean(),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      reminders: fc.constantFrom('on', 'off'),
    }),
    perform: (play, { rows, reminders }) =>
      play.step('import', async ({ request, day }) => {
        const contracts = play.contractsAt(rows.map((row) => row.place))
        const lines = rows.map((row, at) => {
          const known = contracts[at]?.row ?? {}
          const date = row.renewalIn === undefined ? undefined : day(row.renewalIn)
          const term = row.seesTerm ? known['term_number'] : undefined
          const terms = [row.amount, row.renewalCycle, date, row.status, row.renews, row.tags, term]
          return [known['reference'] ?? 'none', ...terms].join()
        })
        const head = 'Reference,Amount,Renewal Cycle,Renewal Date,Status,Renews,Tags,Term Number'
        await importText(request, [head, ...lines].join('\n'), { existing: 'update', reminders })
      }),
  }),
  kindOf({
    name: 'import',
    weight: 1,
    given: fc.array(
      fc.record({
        amount,
        renewalCycle: cycle,
        renewalIn,
        status: fc.constantFrom(...CONTRACT_STATUSES),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    perform: (play, rows) =>
      play.step('import', async ({ request, day }) => {
        const lines = rows.map((row) =>
          ['Quay', row.amount, day(-400), row.renewalCycle, day(row.renewalIn), row.status].join(),
        )
        const head = 'Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status'
        await importText(request, [head, ...lines].join('\n'), { createCustomers: true, reminders: 'on' })
      }),
  }),
  kindOf({
    name: 'undo import',
    weight: 4,
    given: fc.constant({}),
    perform: (play) =>
      play.step('undo import', async ({ request }) => {
        const [latest] = (await listImports(requireReader(request), ListImports.parse({ limit: 1 }))).rows
        if (latest) await asSubscriber(request, (ctx) => undoImport(ctx, { id: latest.id }))
      }),
  }),
  kindOf({
    name: 'settings',
    weight: 1,
    given: fc.record({
      endOverdueAfterDays: fc.option(fc.integer({ min: 1, max: 40 })),
      confirmRenewals: fc.boolean(),
    }),
    perform: (play, given) =>
      play.step('settings', ({ request }) => {
        const settings = SaveRenewalSettings.parse({ ...given, endReasons: DEFAULT_END_REASONS })
        return asSubscriber(request, (ctx) => saveRenewalSettings(ctx, settings))
      }),
  }),
  kindOf({
    name: 'pass',
    weight: 8,
    given: fc.record({ days: someDays, isSent: fc.constantFrom(true, false, false) }),
    perform: async (play, { days, isSent }) => {
      play.world.pass({ days })
      await play.step('night', ({ runJob }) => runJob('renew-contracts', renewContracts))
      play.world.pass({ minutes: 10 })
      await play.step('plan', ({ runJob }) => runJob('reminders', planReminders))
      if (isSent) await play.step('send', ({ runJob }) => runJob('reminders', sendReminders))
    },
  }),
]

async function importText(request: RequestContext, text: string, answers: object): Promise<void> {
  await importFile(request, {
    kind: 'contracts',
    fileName: 'contracts.csv',
    bytes: contentOf(text),
    answers: BulkUpload.parse({ again: true, ...answers }),
    signal: new AbortController().signal,
  })
}

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

/** What may happen in an account, in any order. */
export const SEQUENCES = fc
  .tuple(create.arbitrary, fc.array(fc.oneof(...KINDS), { minLength: 5, maxLength: 30, size: 'max' }))
  .map(([first, others]) => [first, ...others])
