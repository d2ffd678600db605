import { describe, expect, test } from 'vitest'
import { findColumns, isClearHeading } from './columns.ts'

const fieldsOf = (kind: 'customers' | 'contracts', ...headings: string[]) =>
  Object.fromEntries(findColumns(kind, headings).found.map(({ field, index }) => [field, index]))

describe('headings', () => {
  test('stand in any order, in any case, with spaces and punctuation', () => {
    expect(fieldsOf('customers', 'E-Mail', 'PHONE number', 'customer_no.', ' Name ')).toEqual({
      email: 0,
      phone: 1,
      customerNumber: 2,
      name: 3,
    })
  })

  test.each([
    ['customers', 'Company', 'name'],
    ['customers', 'Telephone', 'phone'],
    ['customers', 'Mobile', 'phone'],
    ['customers', 'Customer #', 'customerNumber'],
    ['customers', 'Street Address', 'address'],
    ['customers', 'sendNotifications', 'sendNotifications'],
    ['contracts', 'Client', 'customerName'],
    ['contracts', 'Client ID', 'customerId'],
    ['contracts', 'Contract Value', 'amount'],
    ['contracts', 'Begin', 'startDate'],
    ['contracts', 'Billing Frequency', 'renewalCycle'],
    ['contracts', 'Expiration Date', 'renewalDate'],
    ['contracts', 'End Date', 'renewalDate'],
    ['contracts', 'State', 'status'],
    ['customers', 'Straße', 'address'],
    ['customers', 'N° client', 'customerNumber'],
    ['customers', 'Número de cliente', 'customerNumber'],
    ['customers', 'TÉLÉPHONE', 'phone'],
    ['contracts', 'Verlängerung', 'renewalDate'],
    ['contracts', 'VERLAENGERUNG', 'renewalDate'],
    ['contracts', "Date d'échéance", 'renewalDate'],
    ['contracts', 'Renovación', 'renewalDate'],
    ['contracts', 'Betrag', 'amount'],
    ['contracts', 'Montant', 'amount'],
    ['contracts', 'Importe', 'amount'],
  ] as const)('of %s may be called %s', (kind, heading, field) => {
    expect(fieldsOf(kind, heading)).toEqual({ [field]: 0 })
  })

  test.each([
    ['with plurals', ['Customer full name', 'Phone numbers', 'Main Email', 'Bill to']],
    ['without spaces', ['ContactName', 'PhoneNumber', 'EmailAddress', 'Customer Address']],
    ['with abbreviations', ['Contact Name', 'Telephone No.', 'Contact Mail', 'Bill To Address']],
  ])('of customers may be written %s', (_how, headings) => {
    expect(fieldsOf('customers', ...headings)).toEqual({ name: 0, phone: 1, email: 2, address: 3 })
  })

  test('that mean the same are taken by the plainest name, and the others are told', () => {
    const columns = findColumns('customers', ['Mobile', 'Phone', 'Name', 'Notes'])
    expect(columns.found.find((column) => column.field === 'phone')).toMatchObject({ heading: 'Phone', index: 1 })
    expect(columns.ignored).toEqual(['Mobile', 'Notes'])
  })

  test('that are missing are told as a template heads them', () => {
    expect(findColumns('customers', ['Email']).missing).toEqual(['Name'])
    expect(findColumns('contracts', ['Amount', 'Start']).missing).toEqual([
      'Customer (or Customer Number)',
      'Renewal Cycle',
      'Renewal Date',
    ])
  })

  test.each([
    ['contracts', 'Contract', true],
    ['contracts', 'Vertrag', true],
    ['contracts', 'Contrat', true],
    ['contracts', 'Contrato', true],
    ['contracts', 'PDF', true],
    ['customers', 'Kunde', true],
    ['customers', 'Notes', false],
    ['customers', 'Клиент', false],
  ] as const)('of %s that say %s are clear without asking: %s', (kind, heading, isClear) => {
    expect(isClearHeading(kind, heading)).toBe(isClear)
  })
})

test.each([
  ['customers', ['Name']],
  ['contracts', ['Customer', 'Amount', 'Start Date', 'Renewal Cycle', 'Renewal Date']],
] as const)('a file of %s needs no other columns than it always did', (kind, headings) => {
  expect(findColumns(kind, [...headings]).missing).toEqual([])
})
