import { addDays, dayIn, toDay } from '#shared/domain/day.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import type { Outputs } from '#client/api/trpc.ts'

type Answer = Outputs['answers']['list']['rows'][number]
type Notice = Outputs['notices']['list']['rows'][number]
type Customer = Outputs['customers']['get']
type Contract = Outputs['contracts']['get']
type Decided = Outputs['contracts']['end']
type Term = Outputs['contracts']['terms'][number]
type ContractReminders = Outputs['reminders']['ofContract']
type Dashboard = Outputs['dashboard']['get']
type Import = Outputs['imports']['get']

export function aCustomer(given: Partial<Customer> = {}): Customer {
  return {
    id: 7,
    name: 'Harbor Bakery',
    address: '12 Pier Road',
    phone: '555-0101',
    customerNumber: 'C-007',
    contactName: null,
    contactRole: null,
    email: 'orders@harbor.test',
    sendNotifications: true,
    tags: [],
    version: 1,
    createdAt: new Date('2026-11-03T12:00:00Z'),
    mailClosed: null,
    ...given,
  }
}

export function aContract(given: Partial<Contract> = {}): Contract {
  return {
    id: 31,
    customerId: 7,
    customerName: 'Harbor Bakery',
    amount: 1200.5,
    startDate: toDay('2026-01-15'),
    renewalCycle: 'yearly',
    renewalDate: toDay('2027-01-15'),
    status: 'active',
    pdfPath: null,
    title: null,
    reference: null,
    renews: 'by_agreement',
    noticePeriod: null,
    noticeDate: null,
    term: 1,
    termStart: toDay('2026-01-15'),
    anchorDate: toDay('2026-01-15'),
    nextAmount: null,
    nextCycle: null,
    endsOn: null,
    tags: [],
    version: 1,
    daysLeft: 55,
    ...given,
  }
}

/** A contract with the ID of what was just decided about it. */
export function aDecidedContract(given: Partial<Decided> = {}): Decided {
  return { ...aContract(given), decision: 9, ...given }
}

/** The current term of a contract. */
export function aTerm(given: Partial<Term> = {}): Term {
  return {
    number: 1,
    startDate: toDay('2026-01-15'),
    renewalDate: toDay('2027-01-15'),
    amount: 1200.5,
    renewalCycle: 'yearly',
    outcome: 'running',
    decidedAt: null,
    decidedBy: null,
    reason: null,
    note: null,
    undoes: null,
    decision: null,
    isHeld: false,
    ...given,
  }
}

const NO_OWN_SETTINGS = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }

/** A contract's messages: none, unless something else is given. */
export function someContractReminders(given: Partial<ContractReminders> = {}): ContractReminders {
  return {
    account: DEFAULT_SETTINGS,
    own: NO_OWN_SETTINGS,
    isMuted: false,
    renewalDate: toDay('2027-01-15'),
    history: [],
    next: [],
    isRemindedToday: false,
    goesOutAt: null,
    ...given,
  }
}

/** A contract as the dashboard's lists have it. */
export function aDueContract(given: Partial<Contract> = {}): Contract & { clientName: string } {
  const contract = aContract(given)
  return { ...contract, clientName: contract.customerName }
}

/** The only page of a list, unless its total says otherwise. */
export function aPage<Row>(rows: Row[], total = rows.length) {
  return {
    total,
    rows,
    first: rows.length > 0 ? 'first' : null,
    last: rows.length > 0 ? 'last' : null,
    more: rows.length < total,
  }
}

export function aDashboard(given: Partial<Dashboard> = {}): Dashboard {
  return {
    totalContracts: 12,
    activeContracts: 8,
    totalCustomers: 5,
    totalRevenue: 20_000,
    monthlyRevenue: 1666.67,
    averageContractValue: 2500,
    expiringSoon: 0,
    expiringRevenue: 0,
    overdue: 0,
    noticeDue: 0,
    requiringAttention: (given.overdue ?? 0) + (given.expiringSoon ?? 0),
    growthRate: 25,
    successRate: 66.7,
    contractsPerCustomer: 2.4,
    contractsByStatus: { pending: 1, active: 8, expired: 2, cancelled: 1 },
    revenueByCycle: { monthly: 4000, quarterly: 6000, yearly: 10_000 },
    months: [],
    overdueContracts: [],
    noticeContracts: [],
    expiringContracts: [],
    remindedToday: [],
    plannedReminders: [],
    sampleImportId: null,
    hasImported: false,
    hasCompanyName: true,
    ...given,
  }
}

export function anImport(given: Partial<Import> = {}): Import {
  return {
    id: 5,
    kind: 'contracts',
    fileName: 'contracts.csv',
    rows: 10,
    created: 2,
    createdCustomers: 1,
    updated: 0,
    unchanged: 0,
    updatedKept: given.updated ?? 0,
    failed: 3,
    failedKept: given.failed ?? 3,
    throughLine: 11,
    status: 'finished',
    createdAt: new Date('2026-11-20T12:00:00Z'),
    finishedAt: new Date('2026-11-20T12:00:05Z'),
    undoneAt: null,
    isSample: false,
    ...given,
  }
}

export function aCompany(given: Partial<Outputs['company']['get']> = {}): Outputs['company']['get'] {
  return {
    name: 'Mill & Sons',
    replyTo: null,
    isReplyToConfirmed: true,
    postalAddress: null,
    logoPath: null,
    ownerEmail: 'owner@mill.test',
    hasContracts: true,
    ...given,
  }
}

export function anAnswer(given: Partial<Answer> = {}): Answer {
  return {
    id: 7,
    contractId: 31,
    customerId: 3,
    customerName: 'Harbor Bakery',
    title: 'Web hosting',
    reference: null,
    term: 2,
    choice: 'renew',
    state: 'waiting',
    isOvertaken: false,
    isLate: false,
    renewalDate: toDay('2026-12-31'),
    amount: 1200,
    renewalCycle: 'yearly',
    nextAmount: 1300,
    nextCycle: 'yearly',
    wishedAmount: null,
    wishedDate: null,
    reason: null,
    words: null,
    address: 'orders@harbor.test',
    network: '203.0.113.0/24',
    answeredAt: new Date('2026-12-01T10:00:00Z'),
    decidedAt: null,
    reply: null,
    agreed: null,
    isImported: false,
    hasCertificate: false,
    ...given,
  }
}

/** A notice whose window has been open for five days and closes in ten, by email or letter. */
export function aNotice(given: Partial<Notice> = {}): Notice {
  const today = dayIn(new Date(), 'UTC')
  return {
    contractId: 7,
    customerName: 'Harbor Bakery',
    renewalDate: addDays(today, 30),
    amount: 1200,
    from: addDays(today, -5),
    through: addDays(today, 10),
    derivation: '35 to 20 days before the renewal date',
    means: ['email', 'letter'],
    ruleName: 'Ours',
    consequence: 'The contract does not renew by itself',
    how: null,
    requiredMail: null,
    postedOn: null,
    mailNumber: null,
    delivery: null,
    email: null,
    emailReminderId: null,
    letterReminderId: null,
    warning: null,
    ...given,
  }
}

/** A page with all notices that there are. */
export function aNoticePage(...rows: Notice[]) {
  return { rows, total: rows.length, amount: rows.length * 1200, first: null, last: null, more: false }
}
