import { describe, expect, test } from 'vitest'
import { CONTRACT_STATUSES } from '#shared/domain/contract-status.ts'
import { daysLeft, isExpiringSoon, isOverdue } from '#shared/domain/contract-term.ts'
import { addDays, addMonths, monthOf, toDay, type Day } from '#shared/domain/day.ts'
import { nextRenewal, RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { NOTIFICATION_TYPES } from '#server/notifications/texts.ts'
import { demoData, type DemoData } from './demo-data.ts'

const TODAY = toDay('2026-03-10')
const { customers, contracts, notifications } = demoData(TODAY)

describe('whichever day it is', () => {
  // Two years, one of them a leap year, some days apart: ends of months and of years are among them.
  const days = Array.from({ length: 146 }, (_, index) => addDays(toDay('2027-01-02'), index * 5))
  const demos = [...days, toDay('2028-02-28'), toDay('2028-02-29')].map((today) => ({ today, data: demoData(today) }))

  function daysWithout(holds: (data: DemoData, today: Day) => boolean): Day[] {
    return demos.filter(({ data, today }) => !holds(data, today)).map(({ today }) => today)
  }

  test('every renewal date is a whole number of cycles after the start', () => {
    expect(daysWithout((data) => data.contracts.every(renewsOnItsCycle))).toEqual([])
  })

  test('six contracts are overdue, for one to 25 days', () => {
    expect(
      daysWithout((data, today) => {
        const overdue = data.contracts.filter((contract) => isOverdue(contract, today))
        return overdue.length === 6 && overdue.every((contract) => daysLeft(contract, today) >= -25)
      }),
    ).toEqual([])
  })

  test('some are due within a week, more within thirty days, and most later', () => {
    expect(
      daysWithout((data, today) => {
        const left = data.contracts
          .filter((contract) => isExpiringSoon(contract, today))
          .map((one) => daysLeft(one, today))
        const week = left.filter((count) => count <= 7).length
        const later = data.contracts.filter((contract) => daysLeft(contract, today) > 30).length
        return week >= 3 && left.length - week >= 8 && left.length < later
      }),
    ).toEqual([])
  })

  test('at least three active contracts began in each of the last six months', () => {
    expect(
      daysWithout((data, today) =>
        [0, 1, 2, 3, 4, 5].every((ago) => activeSince(data, monthOf(addMonths(today, -ago))) >= 3),
      ),
    ).toEqual([])
  })

  test('nobody was added in the future, or after their first contract began', () => {
    expect(
      daysWithout((data, today) =>
        data.contracts.every(({ customer, startDate }) => {
          const added = data.customers[customer]?.addedOn
          return added !== undefined && added <= today && added <= startDate
        }),
      ),
    ).toEqual([])
  })

  test('there are eight notifications', () => {
    expect(daysWithout((data) => data.notifications.length === 8)).toEqual([])
  })
})

function renewsOnItsCycle({ startDate, renewalDate, renewalCycle }: DemoData['contracts'][number]): boolean {
  let date = nextRenewal({ startDate, renewalDate: startDate, renewalCycle })
  while (date < renewalDate) date = nextRenewal({ startDate, renewalDate: date, renewalCycle })
  return date === renewalDate
}

function activeSince(data: DemoData, month: string): number {
  return data.contracts.filter(({ status, startDate }) => status === 'active' && monthOf(startDate) === month).length
}

test('the same day gives the same data', () => {
  expect(demoData(TODAY)).toEqual({ customers, contracts, notifications })
})

test('there are forty customers and 120 contracts of every status and cycle, from $45 to $24,000', () => {
  expect([customers.length, contracts.length]).toEqual([40, 120])
  expect(new Set(contracts.map(({ status }) => status))).toEqual(new Set(CONTRACT_STATUSES))
  expect(new Set(contracts.map(({ renewalCycle }) => renewalCycle))).toEqual(new Set(RENEWAL_CYCLES))
  const amounts = contracts.map(({ amount }) => amount)
  expect([Math.min(...amounts), Math.max(...amounts)]).toEqual([45, 24_000])
})

test('contracts began within the last three years, and a few begin in the next days', () => {
  const starts = contracts.map(({ startDate }) => startDate)
  expect(starts.filter((start) => start < addMonths(TODAY, -37))).toEqual([])
  expect(starts.filter((start) => start < addMonths(TODAY, -24)).length).toBeGreaterThan(10)
  expect(starts.filter((start) => start > TODAY)).toHaveLength(4)
})

test('every customer and contract is one that the app itself would take', () => {
  expect(customers.map((customer) => CreateCustomer.parse(customer).name)).toEqual(customers.map(({ name }) => name))
  expect(contracts.map((contract) => CreateContract.parse({ ...contract, customerId: 1 }).status)).toHaveLength(120)
})

test.each(['name', 'customerNumber', 'phone', 'email'] as const)('no two customers have the same %s', (field) => {
  const values = customers.map((customer) => customer[field]).filter((value) => value !== null)
  expect(new Set(values).size).toBe(values.length)
})

test('telephone numbers and email addresses are nobody’s', () => {
  expect(customers.filter(({ email }) => email !== null && !email.endsWith('.example'))).toEqual([])
  expect(customers.filter(({ phone }) => phone !== null && !phone.includes(' 555-01'))).toEqual([])
})

test.each(['phone', 'email', 'customerNumber', 'address'] as const)('a few customers have no %s', (field) => {
  const missing = customers.filter((customer) => customer[field] === null)
  expect([2, 3]).toContain(missing.length)
})

test('two customers want no notifications, and four have no contract', () => {
  expect(customers.filter(({ sendNotifications }) => !sendNotifications)).toHaveLength(2)
  expect(new Set(contracts.map(({ customer }) => customer)).size).toBe(36)
})

test('customers are numbered in the order in which they came', () => {
  const added = customers.map(({ addedOn }) => addedOn)
  expect(added).toEqual(added.toSorted())
})

test('a few contracts have a PDF', () => {
  expect(contracts.filter(({ hasPdf }) => hasPdf)).toHaveLength(8)
})

test('notifications are of every type, read and unread, and of the last week', () => {
  expect(new Set(notifications.map(({ type }) => type))).toEqual(new Set(NOTIFICATION_TYPES))
  expect(new Set(notifications.map(({ isRead }) => isRead))).toEqual(new Set([true, false]))
  expect(notifications.filter(({ hoursAgo }) => hoursAgo < 1 || hoursAgo > 7 * 24)).toEqual([])
})

test('a notification belongs to the contract that it names', () => {
  const about = notifications.filter(({ contract }) => contract !== null)
  for (const { contract, message } of about) {
    expect(message).toContain(customers[contracts[contract ?? -1]?.customer ?? -1]?.name)
  }
  expect(about).toHaveLength(7)
})
