import type { FieldChange, FieldValue } from '#shared/domain/activity.ts'
import { CYCLE_LABELS, RENEWS_LABELS, STATUS_LABELS } from './contract-words.ts'
import { formatDay, formatMoney } from './format.ts'

const FIELD_LABELS: Record<string, string> = {
  name: 'Name',
  address: 'Address',
  phone: 'Phone',
  email: 'Email',
  contact: 'Contact',
  contactName: 'Contact person',
  contactRole: 'Contact role',
  customerNumber: 'Customer number',
  sendNotifications: 'Notifications',
  customer: 'Customer',
  amount: 'Amount',
  startDate: 'Start date',
  renewalCycle: 'Renewal cycle',
  renewalDate: 'Renewal date',
  status: 'Status',
  title: 'Title',
  reference: 'Reference',
  renews: 'Renews',
  noticePeriod: 'Notice period',
  term: 'Term',
  nextAmount: 'Amount from the next term',
  nextCycle: 'Cycle from the next term',
  endsOn: 'Last day',
  tags: 'Tags',
  mutedRenewalDate: 'No emails about the renewal on',
}

const VALUE_LABELS: Record<string, Record<string, string>> = {
  renewalCycle: CYCLE_LABELS,
  nextCycle: CYCLE_LABELS,
  renews: RENEWS_LABELS,
  status: STATUS_LABELS,
}

const LONGEST_VALUE = 200

/** What people call a field. */
export function fieldLabel(field: string): string {
  return FIELD_LABELS[field] ?? field
}

/** A change of one field, as in "Amount: $100.00 to $120.00". */
export function changeText({ field, before, after }: FieldChange): string {
  if (field === 'pdf') return pdfText(before === true, after === true)
  const label = fieldLabel(field)
  if (before === null) return `${label}: ${valueText(field, after)}`
  if (after === null) return `${label}: removed, previously ${valueText(field, before)}`
  return `${label}: ${valueText(field, before)} to ${valueText(field, after)}`
}

function pdfText(before: boolean, after: boolean): string {
  if (before && after) return 'PDF replaced'
  return after ? 'PDF uploaded' : 'PDF deleted'
}

function valueText(field: string, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (field === 'amount' || field === 'nextAmount') return formatMoney(Number(value))
  const text = String(value)
  if (/(?:Date|endsOn)$/.test(field)) return formatDay(text)
  const known = VALUE_LABELS[field]?.[text]
  if (known) return known
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
