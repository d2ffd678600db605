import { DEFAULT_WISHES, NO_WISHES } from './simulation/answer-rules.ts'
import { newModel, type ModelAccount, type ModelContract } from './simulation/model.ts'
import { anAccount, type World } from './world.ts'
import type { Model, Row } from '#support/simulation/model.ts'

export const NOW = Date.parse('2027-03-10T12:00:00Z')

/** A contract that renews in a week, as the simulation knows it, and rows of its ledger. */
export async function aSimulatedContract(world: World) {
  const model: Model = newModel(NOW)
  model.mailCounts.limits = { toAddress: 2, ofPaying: 3, ofTrial: 1 }
  const account: ModelAccount = {
    id: 1,
    isVerified: true,
    request: await anAccount(world),
    ownerEmail: 'owner@simulated.test',
    timeZone: 'UTC',
    zoneChangedAt: 0,
    hour: 8,
    hasAccess: true,
    plannedDay: '2027-03-09',
    confirms: false,
    endOverdueAfter: null,
    nightDays: new Set(),
    bulks: [],
    imports: [],
    // Its mails have no text.
    answers: { ...DEFAULT_WISHES, hasLink: false },
    rules: [],
    choices: new Map(),
    bounced: new Set(),
    closed: new Set(),
    enabled: true,
    reminderDays: [30, 14, 7, 1],
    followUpDays: [1, 3, 7],
    email: false,
    inApp: false,
  }
  const customer = { id: 1, email: 'customer@simulated.test', isOptedIn: true, contacts: [], deletion: null }
  const contract: ModelContract = {
    id: 1,
    account,
    customer,
    renewalDate: '2027-03-17',
    cycle: 'monthly',
    status: 'active',
    reference: 'R-1',
    renews: 'by_agreement',
    muted: null,
    tags: [],
    noticePeriod: null,
    term: 1,
    termStart: null,
    anchor: '2020-01-01',
    nextAmount: null,
    endsOn: null,
    held: null,
    decisions: [],
    since: Date.parse('2027-01-01'),
    amount: 10,
    deletion: null,
    own: {},
    ownAnswers: NO_WISHES,
    answers: [],
  }
  model.accounts.push(account)
  model.contracts.set(contract.id, contract)
  const row = (changes: Partial<Row> = {}): Row => ({
    id: 1,
    accountId: 1,
    contractId: 1,
    renewalDate: contract.renewalDate,
    term: 1,
    kind: 'reminder',
    offset: 7,
    day: '2027-03-10',
    sentOn: null,
    recipient: 'customer',
    contactId: 0,
    channel: 'email',
    state: 'planned',
    reason: null,
    repeats: 0,
    messageId: `<reminder-${changes.id ?? 1}.x@traxx.test>`,
    plannedAt: NOW,
    sendingAt: NOW,
    waitsFor: null,
    ...changes,
  })
  return { model, contract, row }
}
