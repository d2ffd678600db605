import type { Renews } from '#shared/domain/renews.ts'
import { priceText, whenText } from '#server/mail/formats.ts'
import type { Fact, LetterPart } from '#server/mail/letter.ts'
import { dateOf, detailsOf, leftOf, namesOf, type ReminderFacts } from './contract-facts.ts'
import { answerPart, linkedIf, type Wording, type WrittenReminder } from './reminder-letter.ts'

/** What a digest says besides its contracts. */
export interface DigestWording extends Omit<Wording, 'texts' | 'contractUrl'> {
  /** The contracts, within the app. */
  contractsUrl: string
}

interface Sorted {
  /** Those whose renewal is confirmed, whatever their dates. */
  renewed: ReminderFacts[]
  upcoming: ReminderFacts[]
  overdue: ReminderFacts[]
}

/** Messages about several contracts that one reader gets at once. */
export function writeDigest(first: ReminderFacts, all: readonly ReminderFacts[], wording: DigestWording) {
  const byDate = all.toSorted((one, other) => leftOf(one) - leftOf(other) || one.contractId - other.contractId)
  const open = byDate.filter(({ renewed }) => !renewed)
  const sorted = {
    renewed: byDate.filter(({ renewed }) => renewed),
    upcoming: open.filter((facts) => leftOf(facts) >= 0),
    overdue: open.filter((facts) => leftOf(facts) < 0),
  }
  return first.recipient === 'customer' ? toCustomer(first, sorted, wording) : toOwner(sorted, wording)
}

function toCustomer(first: ReminderFacts, sorted: Sorted, wording: DigestWording): WrittenReminder {
  const { renewed, upcoming, overdue } = sorted
  const all = [...renewed, ...upcoming, ...overdue]
  const { sender } = first
  const plain = (text: string) => linkedIf(wording.mayLink, text, first)
  const customerName = plain(first.customerName)
  const isOneName = all.every((facts) => facts.customerName === first.customerName)
  const boxes = (some: ReminderFacts[]) =>
    some.flatMap((facts): LetterPart[] => [
      { facts: contractFacts(facts, isOneName).map(([label, value]): Fact => [label, plain(value)]) },
      ...answerPart(facts, wording, `Answer online${facts.title === null ? '' : `: ${plain(facts.title)}`}`),
    ])
  return {
    subject: plain(`${all.length} contracts with ${sender} ${whatHappens(sorted)}`),
    letter: {
      sender,
      logoUrl: wording.logoUrl,
      parts: [
        { text: isOneName ? `Hello ${customerName},` : 'Hello,' },
        ...section(
          renewed,
          `${renewed.length === 1 ? 'This contract' : 'These contracts'} with ${sender} ${renewed.length === 1 ? 'has' : 'have'} been renewed:`,
          boxes(renewed),
        ),
        ...section(
          upcoming,
          `${upcoming.length === 1 ? 'This contract' : 'These contracts'} with ${sender} will ${verbOf(upcoming)} soon:`,
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

function toOwner(sorted: Sorted, { contractsUrl }: DigestWording): WrittenReminder {
  const { upcoming, overdue } = sorted
  const box = (all: ReminderFacts[]): LetterPart => ({ facts: all.map(ownersFact) })
  return {
    subject: `${upcoming.length + overdue.length} contracts ${whatHappens(sorted)}`,
    letter: {
      sender: 'TRAXX',
      parts: [
        { text: 'Hello,' },
        ...section(upcoming, 'Coming up:', [box(upcoming)]),
        ...section(overdue, 'Past the renewal date and still open:', [box(overdue)]),
        { link: { label: 'View contracts', url: contractsUrl } },
        { text: 'When a contract is settled, renew or end it.' },
      ],
      note: 'You are receiving this email because email reminders are turned on in your TRAXX notification settings.',
    },
  }
}

function section(contracts: ReminderFacts[], text: string, parts: LetterPart[]): LetterPart[] {
  return contracts.length > 0 ? [{ text }, ...parts] : []
}

/** A contract's details, its date labeled with how it renews, and its customer's name if there are several. */
function contractFacts(facts: ReminderFacts, isOneName: boolean): Fact[] {
  const left = leftOf(facts)
  const label = left < 0 ? 'Renewal date' : DATE_LABELS[facts.renews]
  const date = `${dateOf(facts)}, ${whenText(left)}`
  return [...namesOf(facts, isOneName ? undefined : facts.customerName), ...detailsOf(facts, [label, date])]
}

const DATE_LABELS: Record<Renews, string> = {
  automatic: 'Renews automatically',
  by_agreement: 'Due for renewal',
  never: 'Ends',
}

function ownersFact(facts: ReminderFacts): Fact {
  const { customerName, title, renews } = facts
  const name = title === null ? customerName : `${customerName} (${title})`
  return [name, `${dateOf(facts)}, ${whenText(leftOf(facts))}: ${priceText(facts)}, ${HOW[renews]}`]
}

const HOW: Record<Renews, string> = {
  automatic: 'renews automatically',
  by_agreement: 'renews by agreement',
  never: 'does not renew',
}

function whatHappens({ renewed, upcoming, overdue }: Sorted): string {
  if (renewed.length > 0)
    return upcoming.length + overdue.length === 0 ? 'have been renewed' : 'were renewed or need attention'
  if (overdue.length === 0) return `${verbOf(upcoming)} soon`
  return upcoming.length === 0 ? 'were due for renewal' : 'need attention'
}

function verbOf(upcoming: ReminderFacts[]): string {
  if (!upcoming.some(({ renews }) => renews === 'never')) return 'come up for renewal'
  return upcoming.every(({ renews }) => renews === 'never') ? 'end' : 'renew or end'
}
