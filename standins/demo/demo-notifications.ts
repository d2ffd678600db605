import { daysLeft } from '#shared/domain/contract-term.ts'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import type { NotificationType } from '#server/notifications/texts.ts'
import type { DemoContract } from './demo-terms.ts'
import { dollars, longDay } from './demo-words.ts'

export interface DemoNotification {
  type: NotificationType
  title: string
  message: string
  /** The contract that it is about, by its place. */
  contract: number | null
  hoursAgo: number
  isRead: boolean
}

const REMINDER_DAYS = [1, 7, 14, 30] as const
const FOLLOW_UP_DAYS = [3, 7] as const
const SHOWN_DAYS = 6
const UNREAD_HOURS = 48

interface Around {
  /** The customers' names, by their places. */
  names: readonly string[]
  contracts: readonly DemoContract[]
  today: Day
}

/** What the last days would have brought: reminders and follow-ups on their days, overdue notices, a welcome. */
export function demoNotifications(around: Around): DemoNotification[] {
  const open = around.contracts.filter(({ status }) => isOpen(status))
  const all = [
    ...latest(
      open.flatMap((contract) => reminders(contract, around)),
      3,
    ),
    ...latest(
      open.flatMap((contract) => overdueNotice(contract, around)),
      2,
    ),
    ...latest(
      open.flatMap((contract) => followUps(contract, around)),
      2,
    ),
    welcome(),
  ]
  const oldestFirst = all.toSorted((a, b) => b.hoursAgo - a.hoursAgo)
  return oldestFirst.map((one, index) => ({ ...one, hoursAgo: one.hoursAgo + oldestFirst.length - index }))
}

function latest(notifications: DemoNotification[], count: number): DemoNotification[] {
  return notifications.toSorted((a, b) => a.hoursAgo - b.hoursAgo).slice(0, count)
}

function reminders(contract: DemoContract, around: Around): DemoNotification[] {
  const left = daysLeft(contract, around.today)
  const due = REMINDER_DAYS.filter((days) => left >= 0 && days >= left && days - left <= SHOWN_DAYS)
  return due.map((days) => ({
    type: 'renewal_reminder',
    title: `Renewal in ${days} ${days === 1 ? 'day' : 'days'}`,
    message: `${describe(contract, around)} renews on ${longDay(contract.renewalDate)}.`,
    ...rest(contract, around, days - left),
  }))
}

function overdueNotice(contract: DemoContract, around: Around): DemoNotification[] {
  const left = daysLeft(contract, around.today)
  if (left >= 0) return []
  const message = `${describe(contract, around)} was due for renewal on ${longDay(contract.renewalDate)}.`
  return [{ type: 'overdue', title: 'Contract overdue', message, ...rest(contract, around, -left - 1) }]
}

function followUps(contract: DemoContract, around: Around): DemoNotification[] {
  const late = -daysLeft(contract, around.today)
  return FOLLOW_UP_DAYS.filter((days) => late >= days).map((days) => ({
    type: 'follow_up',
    title: `Follow up: ${days} days overdue`,
    message: `${describe(contract, around)} has not been renewed since ${longDay(contract.renewalDate)}.`,
    ...rest(contract, around, late - days),
  }))
}

function welcome(): DemoNotification {
  return {
    type: 'other',
    title: 'Welcome to TRAXX',
    message: 'Add your customers and their contracts, and TRAXX keeps an eye on every renewal.',
    contract: null,
    hoursAgo: SHOWN_DAYS * 24,
    isRead: true,
  }
}

function describe({ customer, amount, renewalCycle }: DemoContract, { names }: Around): string {
  return `The ${renewalCycle} contract with ${names[customer]} (${dollars(amount)})`
}

function rest(contract: DemoContract, { contracts }: Around, daysAgo: number) {
  const hoursAgo = daysAgo * 24
  return { contract: contracts.indexOf(contract), hoursAgo, isRead: hoursAgo > UNREAD_HOURS }
}
