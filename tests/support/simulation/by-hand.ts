import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import type { MessageKey } from '#shared/schemas/reminders.ts'
import { asSubscriber, type RequestContext } from '#server/context.ts'
import { sendReminderNow, skipReminder, snoozeReminder } from '#server/reminders/outbox-actions.service.ts'
import { sendReminder } from '#server/reminders/manual-reminders.service.ts'
import type { Play } from './play.ts'
import { isAboutTerm } from './expectation.ts'
import { fewSteps, mortal } from './faults.ts'
import { fault } from './fault.ts'
import { judgeSending, look } from './ledger-watch.ts'
import { noteOutage } from './limits.ts'
import { dayAt, daysLater, isOpen, readersOf, wishesOf, type ModelContract } from './model.ts'
import { isSameLine } from './lines.ts'

/** The owner writes to a customer, or skips, puts off or hurries a message; now and then the server is killed at it. */
export async function actByHand(play: Play, contract: ModelContract): Promise<void> {
  const { model, random, owner } = play
  if (contract.deletion) return
  const since = model.receipts.length
  const steps = random.chance(0.1) ? fewSteps(random) : Number.POSITIVE_INFINITY
  const { isDead, ...outside } = mortal(contract.account.request, steps)
  const request: RequestContext = { ...contract.account.request, ...outside }
  for (const { id } of model.rowsOf.get(contract.id) ?? []) model.touched.add(id)
  const refusal = await refusalOf(act(play, contract, request), isDead)
  if (isDead()) noteOutage(model)
  await look(owner, model)
  if (refusal === undefined && isDead()) for (const id of model.open) noteIncident(play, id)
  judgeSending(model, since, !isDead())
}

function noteIncident({ model }: Play, id: number): void {
  if (model.rows.get(id)?.state === 'sending') model.incidents.add(id)
}

async function act(play: Play, contract: ModelContract, request: RequestContext): Promise<void> {
  const { model, random } = play
  const share = random.share()
  if (share < 0.5) {
    await sendReminder(request, { id: contract.id })
    if (!isOpen(contract)) fault(model, `contract ${contract.id} is closed, and a reminder was sent by hand`)
    return
  }
  const key = someMessage(play, contract)
  if (!key) return
  const subscriber = (work: Parameters<typeof asSubscriber<void>>[1]) => asSubscriber(request, work)
  if (share < 0.65) return subscriber((ctx) => skipReminder(ctx, key))
  if (share < 0.85) {
    const today = dayAt(model.now, contract.account.timeZone)
    const until = toDay(daysLater(today, random.int(1, 10)))
    return subscriber((ctx) => snoozeReminder(ctx, { ...key, until }))
  }
  const row = (model.rowsOf.get(contract.id) ?? []).find(
    (one) => isAboutTerm(one, contract) && one.kind === key.kind && one.offset === key.offset && isSameLine(one, key),
  )
  if (row) model.byHand.set(row.id, (model.byHand.get(row.id) ?? 0) + 1)
  await sendReminderNow(request, key)
}

/** A message to the customer that may be to come. */
function someMessage({ random }: Play, contract: ModelContract): MessageKey | undefined {
  const { reminderDays, followUpDays } = wishesOf(contract)
  const kind = random.pick(['reminder', 'follow_up'] as const)
  const offsets = kind === 'reminder' ? reminderDays : followUpDays
  if (offsets.length === 0) return undefined
  const renewalDate = toDay(contract.renewalDate)
  return {
    contractId: contract.id,
    renewalDate,
    kind,
    offset: random.pick(offsets),
    recipient: 'customer',
    contactId: random.pick(readersOf(contract.customer)).id,
    channel: 'email',
  }
}

/** What the rules refuse is no fault, and neither is what a killed server did not come to. */
async function refusalOf(work: Promise<void>, isDead: () => boolean): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.key
    if (isDead()) return undefined
    throw error
  }
}
