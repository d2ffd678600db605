import sql from 'sql-template-tag'
import { z } from 'zod'
import { isOpen } from '#shared/domain/contract-status.ts'
import type { Day } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { BulkChange } from '#shared/schemas/bulk.ts'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { AnnounceMail } from '#shared/schemas/reminders.ts'
import { startBulk } from '#server/bulk/bulk.service.ts'
import { previewBulk } from '#server/bulk/preview-bulk.service.ts'
import { importFile } from '#server/imports/import-file.ts'
import { announceMail } from '#server/reminders/announced-mail.service.ts'
import type { DrawnAccount, SentEmail } from './account.ts'
import type { DrawnAct } from './draw.ts'

/** What was announced of an act, and how that is to be read off the emails that came. */
export interface Announced {
  said: unknown
  /** What came, in the same form. */
  came: (emails: Compared) => unknown
  /** The contracts that the act is about. All others are written to as if it had not been. */
  about: readonly number[]
}

/** Emails that went out after the act, and those that went out to its twin, where nothing was done. */
export interface Compared {
  all: SentEmail[]
  /** Those that the twin did not get. */
  brought: SentEmail[]
}

/** Asks what an act brings, and does it. @throws where it is refused */
export async function announceAndDo(account: DrawnAccount, runBulk: () => Promise<void>): Promise<Announced> {
  const { act } = account.drawn
  if (act.kind === 'add') return add(account, act)
  if (act.kind === 'change') return change(account, act)
  if (act.kind === 'reopen') return reopen(account, act)
  if (act.kind === 'import') return importContracts(account, act)
  const announced = await tag(account, act)
  await runBulk()
  return announced
}

type Act<Kind> = DrawnAct & { kind: Kind }

const NEW = 100

async function add(account: DrawnAccount, { contract }: Act<'add'>): Promise<Announced> {
  const { customer, renewsIn, ...terms } = contract
  const asked = { ...terms, customerId: account.customers[customer], renewalDate: account.day(renewsIn) }
  const said = await announceMail(account.reader(), AnnounceMail.parse(asked))
  await account.add(contract, NEW)
  return { said, came: ({ all }) => ({ ...mailOn(all, NEW), isAddition: false }), about: [NEW] }
}

async function change(account: DrawnAccount, { contract, changes }: Act<'change'>): Promise<Announced> {
  const { customer, renewsIn, ...terms } = changes
  const before = await account.view(contract)
  const sent = {
    ...terms,
    ...(customer !== undefined && { customerId: account.customers[customer] }),
    ...(renewsIn !== undefined && { renewalDate: account.day(renewsIn) }),
  }
  const { customerId, renewalDate, status } = { ...before, ...sent }
  const asked = AnnounceMail.parse({ ...sent, id: before.id, customerId, renewalDate, status })
  const said = await announceMail(account.reader(), asked)
  await account.update(contract, sent)
  const isMoved = customerId !== before.customerId || renewalDate !== before.renewalDate
  const startsOver = isMoved || !isOpen(status) || !isOpen(before.status)
  // An overdue contract may be renewed at once; then its emails are about another date.
  const isAddition = !startsOver && (renewalDate > account.day(0) || said.isAddition)
  const came = ({ all, brought }: Compared) => ({ ...mailOn(isAddition ? brought : all, contract), isAddition })
  return { said, came, about: [contract] }
}

async function reopen(account: DrawnAccount, { contract }: Act<'reopen'>): Promise<Announced> {
  const { id, customerId, renewalDate, status } = await account.view(contract)
  const opened = { id, customerId, renewalDate, status: isOpen(status) ? status : 'active', endsOn: null }
  const said = await announceMail(account.reader(), AnnounceMail.parse(opened))
  await account.reopen(contract)
  return { said, came: ({ all }) => ({ ...mailOn(all, contract), isAddition: false }), about: [contract] }
}

function mailOn(emails: readonly SentEmail[], place: number) {
  const days = emails.filter((email) => email.place === place).map(({ day }) => day)
  return { count: days.length, first: days[0] ?? null }
}

const HEAD = 'Reference,Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews,Notice Period,Tags'

async function importContracts(account: DrawnAccount, act: Act<'import'>): Promise<Announced> {
  const added = act.added.map((one, at) => {
    const terms = [one.renewalCycle, account.day(one.renewsIn), one.status, one.renews, one.noticePeriod]
    return [`N${at}`, `C${one.customer}`, 100, '2020-01-01', ...terms, one.tags.join(';')].join()
  })
  const moves = act.existing === 'update' ? await movesOf(account, act) : []
  const moved = moves.map(({ place, to, changes: { renews, noticePeriod, tags = [] } }) =>
    [`R${place}`, '', 150, '', '', to, '', renews, noticePeriod, tags.join(';')].join(),
  )
  if (added.length + moved.length === 0) throw new AppError('CONTRACT_NOT_FOUND')
  const text = [HEAD, ...added, ...moved].join('\n')
  const said = await importText(account, text, { existing: act.existing, reminders: 'ask' })
  if (said !== undefined) await importText(account, text, { existing: act.existing, reminders: 'on' })
  const about = await newPlaces(account)
  // A row can be refused, as where a term would be too short.
  for (const { place, to } of moves) if ((await account.view(place)).renewalDate === to) about.push(place)
  return { said, came: ({ all }) => importMail(all, said), about }
}

/** To a date that is another, and of which the ledger has nothing. */
async function movesOf(account: DrawnAccount, { moved }: Act<'import'>) {
  const moves: { place: number; to: Day; changes: Act<'import'>['moved'][number]['changes'] }[] = []
  for (const { contract: place, renewsIn, changes } of moved) {
    const to = account.day(renewsIn)
    const known = await account.datesKnown(place)
    if (!known.includes(to)) moves.push({ place, to, changes })
  }
  return moves
}

/** The emails of which the import asks; undefined where it asks nothing. */
async function importText({ request }: DrawnAccount, text: string, answers: object): Promise<ImportMail | undefined> {
  try {
    await importFile(request, {
      kind: 'contracts',
      fileName: 'contracts.csv',
      bytes: contentOf(text),
      answers: BulkUpload.parse(answers),
      signal: new AbortController().signal,
    })
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.key === 'IMPORT_SENDS_MAIL')
      return Question.parse(error.details).question.mail
    throw error
  }
}

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

const ImportMail = z.object({
  emails: z.int(),
  customers: z.int(),
  isAll: z.boolean(),
  first: z.array(z.object({ customerName: z.string(), day: z.string() })),
})
type ImportMail = z.output<typeof ImportMail>
const Question = z.object({ question: z.object({ mail: ImportMail }) })

async function newPlaces(account: DrawnAccount): Promise<number[]> {
  const statement = sql`
    select id, substr(reference, 2)::int as number from contracts
    where account_id = ${account.id} and reference like 'N%'`
  const rows = await account.request.db.readAs(account.id)(statement, z.object({ id: z.int(), number: z.int() }))
  for (const { id, number } of rows) account.contracts.set(NEW + number, id)
  return rows.map(({ number }) => NEW + number)
}

/** Several messages to one reader on one day may be one email. Which of a day are named first, and whose name
 * one to several customers' contacts has, is left open. */
function importMail(messages: readonly SentEmail[], said: ImportMail | undefined): ImportMail | undefined {
  if (messages.length === 0) return undefined
  const emails = [...new Map(messages.map((message) => [message.messageId, message])).values()]
  const first = emails.slice(0, 5).map(({ customerName, day }) => ({ customerName, day }))
  const isNamed = said?.first.every((one) =>
    messages.some(({ customerName, day }) => one.customerName === customerName && one.day === day),
  )
  const isFirst = said?.first.map(({ day }) => day).join() === first.map(({ day }) => day).join()
  return {
    emails: emails.length,
    customers: new Set(emails.map(({ address }) => address)).size,
    isAll: true,
    first: said && isNamed && isFirst ? said.first : first,
  }
}

async function tag(account: DrawnAccount, { add: added, remove, contracts }: Act<'tag'>): Promise<Announced> {
  const ids = contracts?.flatMap((place) => account.contracts.get(place) ?? [])
  const change = { action: 'tag', add: added, remove, contracts: ids ? { ids } : { filter: {} } }
  if (ids?.length === 0) throw new AppError('CONTRACT_NOT_FOUND')
  const input = BulkChange.parse(change)
  const { emailsToday = 0 } = await previewBulk(account.reader(), input)
  await account.as((ctx) => startBulk(ctx, input))
  const today = account.day(0)
  const about = contracts ?? [...account.contracts.keys()]
  return {
    said: { count: emailsToday, first: emailsToday > 0 ? today : null },
    came: ({ brought }) => {
      const ofToday = brought.filter(({ day }) => day === today)
      const others = brought.filter(({ kind }) => kind !== 'notice')
      return {
        ...mailOn(
          ofToday.map((email) => ({ ...email, place: 0 })),
          0,
        ),
        ...(others.length > 0 && { others }),
      }
    },
    about,
  }
}
