import { whenText } from '#server/mail/formats.ts'
import type { Fact, LetterPart } from '#server/mail/letter.ts'
import {
  amountOf,
  CYCLES,
  dateOf,
  leftOf,
  linkedIf,
  type ReminderFacts,
  type Wording,
  type WrittenReminder,
} from './reminder-letter.ts'

/** What a digest says besides its contracts. */
export interface DigestWording extends Omit<Wording, 'texts' | 'contractUrl'> {
  /** The contracts, within the app. */
  contractsUrl: string
}

interface Sorted {
  upcoming: ReminderFacts[]
  overdue: ReminderFacts[]
}

/** Reminders and follow-ups about several contracts that one reader gets on one day. */
export function writeDigest(first: ReminderFacts, all: readonly ReminderFacts[], wording: DigestWording) {
  const byDate = all.toSorted((one, other) => leftOf(one) - leftOf(other) || one.contractId - other.contractId)
  const sorted = {
    upcoming: byDate.filter((facts) => leftOf(facts) >= 0),
    overdue: byDate.filter((facts) => leftOf(facts) < 0),
  }
  return first.recipient === 'customer' ? toCustomer(first, sorted, wording) : toOwner(sorted, wording)
}

function toCustomer(first: ReminderFacts, { upcoming, overdue }: Sorted, wording: DigestWording): WrittenReminder {
  const { sender } = first
  const plain = (text: string) => linkedIf(wording.mayLink, text, first)
  const customerName = plain(first.customerName)
  const isOneName = [...upcoming, ...overdue].every((facts) => facts.customerName === first.customerName)
  const count = upcoming.length + overdue.length
  const boxes = (all: ReminderFacts[]) =>
    all.map((facts) => ({ facts: contractFacts(facts, isOneName ? undefined : plain(facts.customerName)) }))
  return {
    subject: plain(`${count} contracts with ${sender} ${whatHappens({ upcoming, overdue })}`),
    letter: {
      sender,
      logoUrl: wording.logoUrl,
      parts: [
        { text: isOneName ? `Hello ${customerName},` : 'Hello,' },
        ...section(
          upcoming,
          `${upcoming.length === 1 ? 'This contract' : 'These contracts'} with ${sender} will renew soon:`,
          boxes(upcoming),
        ),
        ...section(
          overdue,
          `${overdue.length === 1 ? 'This contract was' : 'These contracts were'} due for renewal with ${sender}. If you have already been in touch about this, please disregard this message.`,
          boxes(overdue),
        ),
        { text: 'If you have a question or something has changed, just reply to this message.' },
        { text: sender },
      ],
      note: `TRAXX sent this email on behalf of ${sender}. You are receiving it because you have contracts with ${sender}.`,
      postalAddress: wording.postalAddress,
      unsubscribeUrl: wording.unsubscribeUrl,
      reportUrl: wording.reportUrl,
    },
  }
}

function toOwner({ upcoming, overdue }: Sorted, { contractsUrl }: DigestWording): WrittenReminder {
  const box = (all: ReminderFacts[]): LetterPart => ({ facts: all.map(ownersFact) })
  return {
    subject: `${upcoming.length + overdue.length} contracts ${whatHappens({ upcoming, overdue })}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        ...section(upcoming, 'Renewing soon:', [box(upcoming)]),
        ...section(overdue, 'Past the renewal date and still open:', [box(overdue)]),
        { link: { label: 'View contracts', url: contractsUrl } },
        { text: 'When a contract is settled, update its renewal date or status.' },
      ],
      note: 'You are receiving this email because email reminders are turned on in your TRAXX notification settings.',
    },
  }
}

function section(contracts: ReminderFacts[], text: string, parts: LetterPart[]): LetterPart[] {
  return contracts.length > 0 ? [{ text }, ...parts] : []
}

/** Identifies a contract by its amount and date, and by its customer if there are several. */
function contractFacts(facts: ReminderFacts, customerName: string | undefined): Fact[] {
  return [
    ...(customerName === undefined ? [] : [['Contract', customerName] satisfies Fact]),
    ['Amount', `${amountOf(facts)} ${CYCLES[facts.renewalCycle]}`],
    ['Renewal date', `${dateOf(facts)}, ${whenText(leftOf(facts))}`],
  ]
}

function ownersFact(facts: ReminderFacts): Fact {
  const { customerName, renewalCycle } = facts
  const amount = `${amountOf(facts)} ${CYCLES[renewalCycle]}`
  return [customerName, `${dateOf(facts)}, ${whenText(leftOf(facts))}: ${amount}`]
}

function whatHappens({ upcoming, overdue }: Sorted): string {
  if (overdue.length === 0) return 'renew soon'
  return upcoming.length === 0 ? 'were due for renewal' : 'need attention'
}
