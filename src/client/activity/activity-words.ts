import type { ActivityAction, FieldChange, FieldValue } from '#shared/domain/activity.ts'
import type { Outputs } from '#client/api/trpc.ts'
import { CYCLE_LABELS, RENEWS_LABELS, STATUS_LABELS } from '#client/text/contract-words.ts'
import { formatDay, formatMoney } from '#client/text/format.ts'

type Actor = Outputs['activity']['list']['rows'][number]['by']

export const ACTION_LABELS: Record<ActivityAction, string> = {
  created: 'Added',
  changed: 'Changed',
  renewed: 'Renewed',
  ended: 'Ended',
  expired: 'Expired',
  reopened: 'Reopened',
  renewal_undone: 'Renewal undone',
  deleted: 'Deleted',
  restored: 'Restored',
  removed: 'Deleted permanently',
}

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

/** Who did something. */
export function actorText(by: Actor): string {
  if (by === null) return ''
  const name = by.name ?? ''
  const texts: Record<NonNullable<Actor>['kind'], string> = {
    person: name || 'Somebody with this account',
    key: name ? `API key ${name}` : 'An API key',
    import: name ? `Import of ${name}` : 'An import',
    customer: name ? `${name}, by a link in an email` : 'The customer, by a link in an email',
    operator: 'TRAXX support',
    traxx: 'Automatically',
  }
  return texts[by.kind]
}

/** What people call a field. */
export function fieldLabel(field: string): string {
  return FIELD_LABELS[field] ?? field
}

/** A change of one field, as in "Amount: $100.00 to $120.00". */
export function changeText({ field, before, after }: FieldChange): string {
  if (field === 'pdf') return pdfText(before === true, after === true)
  const label = fieldLabel(field)
  if (before === null) return `${label}: ${valueText(field, after)}`
  if (after === null) return `${label}: removed, before ${valueText(field, before)}`
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
