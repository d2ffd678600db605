import sql from 'sql-template-tag'
import { z } from 'zod'
import { VERIFY_AT } from '#shared/certificates/certificate.ts'
import type { Day } from '#shared/domain/day.ts'
import { deliveryOf } from '#shared/domain/notice-presets.ts'
import type { LetterDelivery } from '#shared/domain/notice-window.ts'
import { hideOwnLinks } from '#shared/domain/own-links.ts'
import type { ProofPart } from '#shared/domain/proof-chain.ts'
import { sha256 } from '#shared/domain/proof-key.ts'
import { AppError } from '#shared/errors.ts'
import type { SubscriberContext } from '#server/context.ts'
import { readDecider } from '#server/customer-answers/answer-proof.ts'
import { dateText, priceText } from '#server/mail/formats.ts'
import type { Fact } from '#server/mail/letter.ts'
import type { WithWindow } from '#server/notice-rules/noticed-contracts.ts'
import { ruleFacts } from '#server/reminders/letters/rule-facts.ts'
import { appendProof, type ProofKind } from '#server/proofs/append-proof.ts'

// What is proved of a letter: that its owner marked it as mailed, corrected that, or withdrew it, when, and in which words.
// Whether it was mailed, TRAXX cannot know.

interface MarkedLetter {
  /** The row of the ledger that it is proved under. */
  reminderId: number
  kind: Extract<ProofKind, 'mailed' | 'corrected'>
  found: WithWindow
  on: Day
  mailNumber: string | null
  delivery: LetterDelivery | null
  /** As TRAXX writes it on that day; null without a company name. */
  subject: string | null
  body: string | null
}

/** Proves what an owner said of a letter. The last step of its transaction. @throws NOTICE_CORRECTED_TOO_OFTEN */
export async function proveMark(ctx: SubscriberContext, letter: MarkedLetter): Promise<void> {
  const { reminderId, kind, on, mailNumber, delivery, subject, body, found } = letter
  const { contract } = found
  if (kind === 'corrected') await refuseAnother(ctx, reminderId)
  const { company, ownerEmail, decidedBy } = await readDecider(ctx.write, ctx.accountId, ctx.actor)
  const parties: Fact[] = [
    ['Sender', company.name ?? ownerEmail ?? ''],
    ...factIf('Postal address', company.postalAddress),
    ...factIf('Account holder', ownerEmail),
    ['Customer', contract.customerName],
  ]
  const facts: Fact[] = [
    ['Mailed or handed over on', dateText(on)],
    ...factIf('Delivery', delivery && deliveryName(delivery, found.rule)),
    ...factIf('Certified mail number', mailNumber),
    ['Marked as mailed by', decidedBy],
    ['Source', 'The account holder. TRAXX did not mail the letter'],
    ...factIf('Subject', subject),
    ...factIf('SHA-256 of the text', body && (await sha256(body))),
    [VERIFY_AT, `${ctx.services.publicUrl}/verify`],
  ]
  await append(ctx, { reminderId, kind }, [
    { name: 'parties', title: 'Parties', facts: parties },
    contractPart(found),
    { name: 'letter', title: 'Letter', facts, text: hideOwnLinks(body ?? '', ctx.services.publicUrl) },
  ])
}

/** 'Certified mail' */
function deliveryName(delivery: LetterDelivery, { preset }: WithWindow['rule']): string {
  if (delivery === 'in_person') return 'Handed over in person'
  return deliveryOf(preset).requiredMail === 'registered or certified mail'
    ? 'Registered or certified mail'
    : 'Certified mail'
}

/** Proves that an owner withdrew what was said of a letter. The last step of its transaction. */
export async function proveWithdrawal(ctx: SubscriberContext, reminderId: number): Promise<void> {
  const { decidedBy } = await readDecider(ctx.write, ctx.accountId, ctx.actor)
  const facts: Fact[] = [
    ['Withdrawn by', decidedBy],
    ['Status', 'Not mailed'],
    [VERIFY_AT, `${ctx.services.publicUrl}/verify`],
  ]
  await append(ctx, { reminderId, kind: 'withdrawn' }, [{ name: 'withdrawal', title: 'Withdrawal', facts }])
}

/** Records about one letter, the last of which is kept for its withdrawal: far fewer than a certificate can have. */
const MOST_RECORDS = 100

const CountRow = z.object({ count: z.int() })

async function refuseAnother({ write, accountId }: SubscriberContext, reminderId: number): Promise<void> {
  const statement = sql`
    select count(*)::float8 as count from proofs where account_id = ${accountId} and reminder_id = ${reminderId}`
  const [found] = await write(statement, CountRow)
  if ((found?.count ?? 0) >= MOST_RECORDS - 1) throw new AppError('NOTICE_CORRECTED_TOO_OFTEN')
}

async function append(
  { write, accountId, services }: SubscriberContext,
  about: { reminderId: number; kind: ProofKind },
  parts: ProofPart[],
): Promise<void> {
  await appendProof(write, { ...about, accountId, at: services.now(), parts }, services.proofSigner)
}

function contractPart({ contract, ...window }: WithWindow): ProofPart {
  const { contractId, title, termNumber, renewalDate, nextAmountCents, amountCents, nextCycle, renewalCycle } = contract
  const next = { amountCents: nextAmountCents ?? amountCents, renewalCycle: nextCycle ?? renewalCycle }
  return {
    name: 'contract',
    title: `Contract ${contractId}`,
    facts: [
      ...factIf('Contract', title),
      ['Term', String(termNumber)],
      ['Renewal date', dateText(renewalDate)],
      ['Price of the next term', priceText(next)],
      ...ruleFacts(window),
    ],
  }
}

function factIf(label: string, value: string | null | undefined): Fact[] {
  return value ? [[label, value]] : []
}
