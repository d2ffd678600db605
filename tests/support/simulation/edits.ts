import { createHmac, randomUUID } from 'node:crypto'
import { toDay } from '#shared/domain/day.ts'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { requireAccount } from '#server/context.ts'
import { createContract, removeContract, updateContract } from '#server/contracts/contracts.service.ts'
import { createCustomer, removeCustomer, updateCustomer } from '#server/customers/customers.service.ts'
import { setTimeZone } from '#server/identity/accounts.service.ts'
import { readLinkKey } from '#server/db/link-key.ts'
import { muteContract, saveContractSettings } from '#server/reminders/contract-reminders.service.ts'
import { receiveMailEvent } from '#server/deliverability/mail-events.service.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { unsubscribe } from '#server/deliverability/unsubscribe.service.ts'
import type { Random } from '#support/random.ts'
import { newAddress } from './addresses.ts'
import { NO_WISHES } from './answer-rules.ts'
import { look } from './ledger-watch.ts'
import { aDeletion, noteDeleted } from './trash.ts'
import { addContactTo, changeContacts } from './contacts.ts'
import { importUpdates, undoLatestImport } from './imports.ts'
import { retag, someTagging, startBulkChange, undoBulkChange, undoLatestTagging } from './bulk.ts'
import { dayAt, daysLater, isMuted, remember, type ModelAccount, type ModelContract, type Wishes } from './model.ts'
import type { Play } from './play.ts'
import { actOnTerm, decideByStatus, endAndReopen, momentOf, saveRenewals, scheduleSoonest } from './decisions.ts'
import { settled } from './renewal-rules.ts'
import { START_DATE, TIME_ZONES } from './start.ts'
import { answerAbout } from './answers.ts'
import { changeNoticeOf, mailLetter } from './notice-deeds.ts'
import { someTags, tagKey } from './tags.ts'
import { contractsOf } from './notice-rules.ts'
import { untilConnected, write } from './write.ts'

const OPTIONS = { reminderDays: [30, 14, 7, 3, 1], followUpDays: [1, 3, 7, 14, 30] }
const CYCLES = ['monthly', 'quarterly', 'yearly'] as const
/** Most contracts that renew automatically have one. */
export const NOTICE_PERIODS = ['10 days', '15 days', '30 days', '1 month', '2 months', null, null] as const
const RENEWS = ['automatic', 'automatic', 'automatic', 'by_agreement', 'by_agreement', 'never'] as const

export async function addContract(play: Play, account: ModelAccount): Promise<void> {
  const { model, random } = play
  const email = random.chance(0.95) ? newAddress(random) : null
  const isOptedIn = random.chance(0.95)
  const today = dayAt(model.now, account.timeZone)
  const renewalDate = daysLater(today, random.int(-10, 60))
  const status = random.chance(0.9) ? 'active' : random.pick(['pending', 'expired'] as const)
  // By its own amount a contract is found in an email about several.
  const amount = 10 + model.contracts.size
  const [cycle, renews] = [random.pick(CYCLES), random.pick(RENEWS)]
  const isSilent = random.chance(0.07)
  const reference = `R-${model.contracts.size}`
  const tags = someTags(random, 0.2)
  const noticePeriod = random.pick(NOTICE_PERIODS)
  const terms = {
    amount,
    startDate: START_DATE,
    renewalCycle: cycle,
    renewalDate,
    status,
    renews,
    reference,
    tags,
    noticePeriod,
  }
  const { id, customerId } = await write(account, async (ctx) => {
    const fields = { name: 'Customer', email, sendNotifications: isOptedIn }
    const { id: customerId } = await createCustomer(ctx, CreateCustomer.parse(fields))
    return createContract(ctx, CreateContract.parse({ ...terms, customerId, reminders: isSilent ? 'off' : 'on' }))
  })
  const contract: ModelContract = {
    id,
    account,
    customer: { id: customerId, email, isOptedIn, contacts: [], deletion: null },
    renewalDate,
    amount,
    cycle,
    status,
    renews,
    reference,
    muted: null,
    tags: tags.map(tagKey),
    noticePeriod,
    term: 1,
    termStart: null,
    anchor: START_DATE,
    nextAmount: null,
    endsOn: null,
    held: null,
    since: model.now,
    decisions: [],
    deletion: null,
    own: {},
    ownAnswers: NO_WISHES,
    answers: [],
  }
  if (isSilent) contract.muted = settled(contract, momentOf(play, contract)).renewalDate
  model.contracts.set(id, contract)
  model.customers.set(customerId, contract.customer)
  for (let contacts = random.pick([0, 0, 0, 1, 2] as const); contacts > 0; contacts -= 1)
    await addContactTo(play, contract)
}

/** One of the things that people do to a contract, its customer or its account. */
export async function edit(play: Play, contract: ModelContract): Promise<void> {
  const { random } = play
  const share = random.share()
  if (share < 0.05) return changeMany(play, contract)
  if (share < 0.09) return undoBulkChange(play)
  if (share < 0.115) return importUpdates(play, contract.account)
  if (share < 0.13) return undoLatestImport(play)
  if (share < 0.16) return mute(play, contract)
  if (share < 0.17) return retag(play, contract)
  if (share < 0.46) return actOnTerm(play, contract)
  if (share < 0.53) return moveDate(play, contract, random.int(-20, 40))
  if (share < 0.58) return decideByStatus(play, contract)
  if (share < 0.64) return changeCustomer(play, contract)
  if (share < 0.7) return changeContacts(play, contract)
  if (share < 0.76) return saveOwn(play, contract)
  if (share < 0.8) return saveAccount(play, contract.account)
  if (share < 0.88) return bounce(play, contract)
  if (share < 0.92) return leave(contract)
  if (share < 0.96) return remove(play, contract)
  if (share < 0.97) return travel(play, contract.account)
  if (share < 0.98) return pay(play, contract.account)
  if (share < 0.985) return changeVerification(play, contract.account)
  return saveRenewals(play, contract.account)
}

/** What happens with every seed. */
export const CERTAIN_EDITS: ((play: Play, contract: ModelContract) => Promise<unknown>)[] = [
  scheduleSoonest,
  (play, { account }) => startBulkChange(play, account, someTagging(play.random)),
  (play, { account }) => importUpdates(play, account),
  endAndReopen,
  (play, { account }) => startBulkChange(play, account, { action: 'remind' }),
  mute,
  (play, { account }) => importUpdates(play, account),
  undoLatestImport,
  (play, { account }) => startBulkChange(play, account, someTagging(play.random)),
  undoLatestTagging,
  undoBulkChange,
  (play, { account }) => importUpdates(play, account),
  undoLatestImport,
]

/** Before the job comes to it, some of the contracts may be decided about, or be deleted. */
async function changeMany(play: Play, contract: ModelContract): Promise<void> {
  for (const selected of await startBulkChange(play, contract.account)) {
    const share = play.random.share()
    if (share < 0.3) await actOnTerm(play, selected)
    else if (share < 0.35) await remove(play, selected)
  }
}

/** One of the things after which a message that was planned must not be sent, or not to where it would have gone. */
export async function obstruct(play: Play, contract: ModelContract): Promise<void> {
  const { random } = play
  const hasNotice = (play.model.rowsOf.get(contract.id) ?? []).some(
    ({ id, kind }) => kind === 'notice' && play.model.open.has(id),
  )
  if (random.chance(0.2)) return answerAbout(play, contract)
  if (random.chance(hasNotice ? 0.6 : 0.15))
    return random.chance(0.5) ? changeNoticeOf(play, contract) : mailLetter(play, contract)
  const share = random.share()
  if (share < 0.25) return leave(contract)
  if (share < 0.42) return bounce(play, contract)
  if (share < 0.5) return mute(play, contract)
  if (share < 0.65) return actOnTerm(play, contract)
  if (share < 0.7) return moveDate(play, contract, random.int(1, 40))
  if (share < 0.78) return changeCustomer(play, contract)
  if (share < 0.88) return changeContacts(play, contract)
  return remove(play, contract)
}

/** No emails to the customer about its renewal date, or again. */
async function mute({ random }: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const isOff = !isMuted(contract) || random.chance(0.2)
  await write(contract.account, (ctx) => muteContract(ctx, { id: contract.id, reminders: isOff ? 'off' : 'on' }))
  contract.muted = isOff ? contract.renewalDate : null
}

async function moveDate(play: Play, contract: ModelContract, count: number): Promise<void> {
  const { model, random } = play
  const renewalDate = daysLater(contract.renewalDate, count)
  if (contract.deletion || count === 0 || (contract.termStart ?? '') >= renewalDate) return
  const wish = random.pick(['on', 'off', 'same', 'same', 'same'] as const)
  const changes = { id: contract.id, renewalDate: toDay(renewalDate), reminders: wish === 'same' ? undefined : wish }
  await write(contract.account, (ctx) => updateContract(ctx, changes))
  Object.assign(contract, { renewalDate, since: model.now })
  if (wish !== 'same') contract.muted = wish === 'on' ? null : settled(contract, momentOf(play, contract)).renewalDate
}

/** Another address, or another wish, of the customer. */
export async function changeCustomer({ model, random }: Play, { id, account, customer }: ModelContract): Promise<void> {
  const email = random.chance(0.85) ? newAddress(random) : null
  const sendNotifications = random.chance(0.9)
  const address = email?.toLowerCase()
  const isClosed = address !== undefined && account.closed.has(address)
  // Only its reader opens an address again, which is refused to the account.
  if (sendNotifications && isClosed && address === customer.email?.toLowerCase()) return
  await write(account, (ctx) => updateCustomer(ctx, { id: customer.id, email, sendNotifications }))
  Object.assign(customer, { email, isOptedIn: sendNotifications })
  model.readBy.delete(id)
}

function someWishes(random: Random): Wishes {
  return {
    enabled: random.chance(0.9),
    reminderDays: OPTIONS.reminderDays.filter(() => random.chance(0.7)),
    followUpDays: OPTIONS.followUpDays.filter(() => random.chance(0.6)),
    email: random.chance(0.8),
    inApp: random.chance(0.8),
  }
}

async function saveOwn({ random }: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const wishes = someWishes(random)
  const maybe = <T>(wish: T) => (random.chance(0.5) ? wish : null)
  const own = {
    enabled: maybe(wishes.enabled),
    reminderDays: maybe(wishes.reminderDays),
    followUpDays: maybe(wishes.followUpDays),
    email: maybe(wishes.email),
    inApp: maybe(wishes.inApp),
  }
  const { enabled, ...rest } = own
  await write(contract.account, (ctx) =>
    saveContractSettings(ctx, { id: contract.id, enableNotifications: enabled, ...rest }),
  )
  contract.own = own
}

async function saveAccount({ random }: Play, account: ModelAccount): Promise<void> {
  const { enabled, email, inApp, ...days } = someWishes(random)
  const hour = random.int(0, 23)
  await write(account, (ctx) =>
    saveSettings(ctx, {
      enableNotifications: enabled,
      ...days,
      notificationMethods: { email, inApp },
      hour,
    }),
  )
  Object.assign(account, { enabled, email, inApp, ...days, hour })
}

/** The mail provider reports that a message bounced, which the lists of notices show at once. */
export async function bounce({ model, owner }: Play, contract: ModelContract): Promise<void> {
  const rows = model.rowsOf.get(contract.id) ?? []
  const row = rows.findLast((one) => one.recipient === 'customer' && one.state === 'sent')
  if (!row || contract.deletion) return
  const { rows: sent } = await owner.query<{ messageId: string; address: string }>(
    'select message_id as "messageId", address from reminders where id = $1',
    [row.id],
  )
  const [message] = sent
  if (!message) return
  const [timestamp, token] = [String(Math.floor(model.now / 1000)), randomUUID()]
  const signature = createHmac('sha256', 'key-test')
    .update(timestamp + token)
    .digest('hex')
  const event = { event: 'failed', severity: 'permanent', message: { headers: { 'message-id': message.messageId } } }
  const body = JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': event })
  await untilConnected(() => receiveMailEvent(contract.account.request, Buffer.from(body)))
  contract.account.bounced.add(message.address.toLowerCase())
  for (const { id, messageId } of model.rows.values()) if (messageId === message.messageId) model.touched.add(id)
  await look(owner, model)
}

/** The customer follows the link of an email. */
async function leave({ account, customer }: ModelContract): Promise<void> {
  if (customer.email === null) return
  const seal = createHmac('sha256', await readLinkKey(account.request.db)).update(
    `unsubscribe ${account.id} ${customer.id}`,
  )
  const token = `${account.id}.${customer.id}.${seal.digest('base64url')}`
  await untilConnected(() => unsubscribe(account.request, token))
  account.closed.add(customer.email.toLowerCase())
}

async function remove(play: Play, contract: ModelContract): Promise<void> {
  if (contract.deletion) return
  const { model, owner, random } = play
  const { account, customer } = contract
  await write(account, (ctx) => removeContract(ctx, { id: contract.id }))
  noteDeleted(model, contract)
  if (random.chance(0.5)) {
    await write(account, (ctx) => removeCustomer(ctx, { id: customer.id }))
    customer.deletion = aDeletion(model)
  }
  await look(owner, model)
}

async function travel({ model, random }: Play, account: ModelAccount): Promise<void> {
  const timeZone = random.pick(TIME_ZONES)
  if (timeZone === account.timeZone) return
  await untilConnected(() => setTimeZone(requireAccount(account.request), { timeZone }))
  const { caller } = account.request
  if (caller) account.request = { ...account.request, caller: { ...caller, timeZone } }
  Object.assign(account, { timeZone, zoneChangedAt: model.now })
  for (const { id } of contractsOf(model, account)) remember(model, id, `in ${timeZone}`)
}

async function pay({ owner }: Play, account: ModelAccount): Promise<void> {
  account.hasAccess = !account.hasAccess
  const status = account.hasAccess ? 'active' : 'unpaid'
  await owner.query('update subscriptions set status = $1 where account_id = $2', [status, account.id])
}

/** An owner verifies their address, or has changed it to one that is not verified. */
export async function changeVerification({ owner }: Play, account: ModelAccount): Promise<void> {
  account.isVerified = !account.isVerified
  const email = account.isVerified ? account.ownerEmail : ''
  await owner.query('update accounts set email = $1 where id = $2', [email, account.id])
}
