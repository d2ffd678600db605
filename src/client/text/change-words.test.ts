import { describe, expect, test } from 'vitest'
import type { FieldChange } from '#shared/domain/activity.ts'
import { EditContract } from '#shared/schemas/contracts.ts'
import { EditCustomer } from '#shared/schemas/customers.ts'
import { changeText, fieldLabel } from './change-words.ts'

const change = (field: string, before: FieldChange['before'], after: FieldChange['after']) => ({ field, before, after })

describe('a change', () => {
  test.each([
    [change('amount', 100, 120.5), 'Amount: $100.00 to $120.50'],
    [change('renewalDate', '2026-04-01', '2027-04-01'), 'Renewal date: Apr 1, 2026 to Apr 1, 2027'],
    [change('endsOn', null, '2026-04-01'), 'Last day: Apr 1, 2026'],
    [change('status', 'active', 'cancelled'), 'Status: Active to Cancelled'],
    [change('renews', 'by_agreement', 'automatic'), 'Renews: By agreement to Automatically'],
    [change('nextAmount', 120, null), 'Amount from the next term: removed, previously $120.00'],
    [change('sendNotifications', true, false), 'Notifications: on to off'],
    [change('title', null, 'Cleaning'), 'Title: Cleaning'],
    [change('address', null, 'x'.repeat(201)), `Address: ${'x'.repeat(200)}…`],
    [change('pdf', false, true), 'PDF uploaded'],
    [change('pdf', true, true), 'PDF replaced'],
    [change('pdf', true, false), 'PDF deleted'],
    [change('something', 1, 2), 'something: 1 to 2'],
  ])('%o reads as %s', (one, text) => {
    expect(changeText(one)).toBe(text)
  })
})

/** What a change sends besides fields; a customer is named by its name. */
const NO_FIELDS = ['id', 'version', 'reminders', 'customerId']

test('every field that a person can change has a name that people read', () => {
  const fields = Object.keys({ ...EditContract.shape, ...EditCustomer.shape }).filter(
    (name) => !NO_FIELDS.includes(name),
  )
  expect(fields.length).toBeGreaterThan(15)
  expect(fields.filter((field) => fieldLabel(field) === field)).toEqual([])
})
