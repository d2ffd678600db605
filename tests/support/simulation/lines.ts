import { isAboutAnswer } from './answer-mails.ts'
import { readersOf, type ModelContract, type Row } from './model.ts'

/** A message that the rules ask for, found by looking at one day after the other. */
export interface Expected {
  contract: ModelContract
  /** The contract's, from which instant its messages count. */
  since: number
  kind: string
  offset: number
  day: string
  recipient: string
  contactId: number
  channel: string
  /** 'due', or the reason against it. */
  fate: string
  /** False where the rules leave open whether that day still counts. */
  isCertain: boolean
}

/** Rather than tell of a renewal or an answer, or give notice. */
export function isReminding(kind: string): boolean {
  return kind === 'reminder' || kind === 'follow_up' || kind === 'manual'
}

interface Key {
  renewalDate: string
  term: number
  kind: string
  offset: number
  recipient: string
  contactId: number
  channel: string
}

export function keyOf(contractId: number | null, key: Key): string {
  const { renewalDate, term, kind, offset, recipient, contactId, channel } = key
  return [contractId, renewalDate, `term ${term}`, kind, offset, recipient, contactId, channel].join(' ')
}

export type Line = Pick<Row, 'recipient' | 'contactId' | 'channel'>

export function isSameLine(one: Line, other: Line): boolean {
  return one.recipient === other.recipient && one.contactId === other.contactId && one.channel === other.channel
}

/** An email about an answer goes to whoever gave it alone, who need not be the first at that address. */
export function unreachable({ account, customer }: ModelContract, line: Line & { kind?: string }): string | undefined {
  const { recipient, contactId, channel, kind = '' } = line
  if (channel === 'in_app') return undefined
  if (recipient === 'owner' && !account.isVerified) return 'no_address'
  if (recipient === 'owner') return account.bounced.has(account.ownerEmail) ? 'address_bounced' : undefined
  const readers = readersOf(customer)
  const place = readers.findIndex(({ id }) => id === contactId)
  if (place < 0) return 'contact_off'
  const address = readers[place]?.email?.toLowerCase()
  const isCopy = readers.slice(0, place).some(({ email }) => email?.toLowerCase() === address)
  if (address !== undefined && isCopy && !isAboutAnswer({ kind })) return 'second_copy'
  if (address !== undefined && account.closed.has(address)) return 'unsubscribed'
  if (!customer.isOptedIn) return 'opted_out'
  if (address === undefined) return 'no_address'
  return account.bounced.has(address) ? 'address_bounced' : undefined
}
