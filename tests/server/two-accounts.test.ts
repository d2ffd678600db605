import { describe, expect, test } from 'vitest'
import type { z } from 'zod/mini'
import type { MakeNoticeRule } from '#shared/schemas/notice-rules.ts'
import { DEFAULT_SETTINGS } from '#shared/schemas/reminders.ts'
import { DEFAULT_ANSWERS } from '#shared/domain/customer-answer.ts'
import type { RequestContext } from '#server/context.ts'
import { appRouter } from '#server/routers/index.ts'
import { createCallerFactory } from '#server/trpc.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { aContract, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const callerOf = createCallerFactory(appRouter)

interface Ids {
  customerId: number
  id: number
  notificationId: number
  importId: number
  apiKeyId: number
  noteId: number
  viewId: number
  contactId: number
  answerId: number
  ruleId: number
}

/** A contract, its customer, a notification and an import of one account, all of which is nobody else's. */
async function records(request: RequestContext): Promise<Ids> {
  const { id, customerId } = await aContract(request, { tags: ['Theirs'] })
  const accountId = request.caller?.id ?? 0
  const [row] = await world.db.writeAs(accountId, (em) =>
    em.execute<{ id: number }[]>(
      `insert into notifications (account_id, type, title, message) values (?, 'other', 'T', 'M') returning id`,
      [accountId],
    ),
  )
  const [imported] = await world.db.writeAs(accountId, (em) =>
    em.execute<{ id: number }[]>(
      `insert into imports (account_id, kind, file_name, sha256, headings, rows, finished_at)
        values (?, 'contracts', 'a.csv', '', '[]', 1, now()) returning id`,
      [accountId],
    ),
  )
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into import_mappings (account_id, kind, headings_key, mapping) values (?, 'customers', 'theirs', '{"name":"T"}')`,
      [accountId],
    ),
  )
  const [key] = await world.db.writeAs(accountId, (em) =>
    em.execute<{ id: number }[]>(
      `insert into api_keys (account_id, name, scope, key_hash) values (?, 'K', 'all', sha256(convert_to(?, 'UTF8'))) returning id`,
      [accountId, String(accountId)],
    ),
  )
  const answerId = await anAnswer(request, { id, customerId })
  const view = await callerOf(request).views.save({ name: 'Theirs', search: {} })
  const note = await callerOf(request).notes.add({ about: 'contract', id, text: 'Theirs' })
  const rule = await callerOf(request).noticeRules.make({ ...A_RULE, name: 'Theirs' })
  await callerOf(request).noticeRules.choose({ contractId: id, rule: rule.id })
  const contact = await callerOf(request).contacts.add({ id: customerId, name: 'Theirs', email: 'buyer@theirs.test' })
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into bounced_addresses (account_id, address, bounced_at)
        select id, address, now() from accounts, unnest(array[lower(email), 'buyer@theirs.test']) address where id = ?`,
      [accountId],
    ),
  )
  await world.db.writeAs(accountId, async (em) => {
    await em.execute(`update companies set reply_to = 'theirs@mill.test', postal_address = 'Theirs', logo_path = ?`, [
      `logos/${accountId}.png`,
    ])
    await em.execute(
      `insert into reply_to_codes (account_id, address, code_hash, expires_at) values (?, 'theirs@mill.test', 'x.x', 'infinity')`,
      [accountId],
    )
  })
  await callerOf(request).reminders.saveText({ kind: 'reminder', subject: 'Theirs', body: 'Theirs' })
  // The clock of the tests is another than the database's.
  await world.db.writeAs(accountId, (em) => em.execute(`update contracts set reminders_since = '2026-01-01'`))
  return {
    id,
    customerId,
    notificationId: row?.id ?? 0,
    importId: imported?.id ?? 0,
    apiKeyId: key?.id ?? 0,
    noteId: note.id,
    viewId: view.id,
    contactId: contact.id,
    answerId,
    ruleId: rule.id,
  }
}

/** An answer that waits, through a link that can be used again. */
async function anAnswer(
  { caller }: RequestContext,
  { id, customerId }: Pick<Ids, 'id' | 'customerId'>,
): Promise<number> {
  const accountId = caller?.id ?? 0
  const offer = JSON.stringify({
    customerId,
    termNumber: 1,
    amountCents: 1,
    renewalCycle: 'monthly',
    renewalDate: '2026-04-01',
    renews: 'by_agreement',
    noticePeriod: null,
    nextAmountCents: null,
    nextCycle: null,
  })
  const [answer] = await world.db.writeAs(accountId, (em) =>
    em.execute<{ id: number }[]>(
      `with link as (
        insert into answer_links (account_id, contract_id, term_number, contact_id, address, offer, created_at)
        values (?, ?, 1, 0, 'a@theirs.test', ?, now()) returning id)
      insert into customer_answers (account_id, contract_id, customer_id, customer_name, term_number, number, link_id,
        contact_id, address, choice, state, offer, answered_at)
      select ?, ?, ?, 'Theirs', 1, 1, id, 0, 'a@theirs.test', 'renew', 'waiting', ?, now() from link returning id`,
      [accountId, id, offer, accountId, id, customerId, offer],
    ),
  )
  return answer?.id ?? 0
}

type Trpc = ReturnType<typeof callerOf>
const LEAKS_NOTHING = 'sees nothing'

/** The reminder of 14 days of the contract that `records` makes. */
const A_MESSAGE = {
  renewalDate: '2026-04-01',
  kind: 'reminder',
  offset: 14,
  recipient: 'customer',
  channel: 'email',
} as const
const A_TEXT = { subject: 'For {{customer}}', body: 'Hello' }
const A_RULE = {
  name: 'Mine',
  unit: 'days',
  from: 30,
  until: 15,
  countedFrom: 'renewal_date',
  means: ['email', 'letter'],
} as const satisfies z.input<typeof MakeNoticeRule>
const NOTHING_OWN = { enableNotifications: null, reminderDays: null, followUpDays: null, email: null, inApp: null }

const NO_OWN_ANSWERS = { hasLink: null, renewal: null, deadline: null, lateEnd: null, showsPdf: null }

/** Every procedure: its response to IDs of another account's rows. */
const PROCEDURES: Record<string, ((trpc: Trpc, theirs: Ids) => Promise<unknown>) | typeof LEAKS_NOTHING> = {
  'contracts.get': (trpc, { id }) => trpc.contracts.get({ id }),
  'contracts.update': (trpc, { id }) => trpc.contracts.update({ id, status: 'expired' }),
  'contracts.remove': (trpc, { id }) => trpc.contracts.remove({ id }),
  'contracts.terms': (trpc, { id }) => trpc.contracts.terms({ id }),
  'contracts.renew': (trpc, { id }) => trpc.contracts.renew({ id, confirm: true }),
  'contracts.previewRenewal': (trpc, { id }) => trpc.contracts.previewRenewal({ id }),
  'contracts.end': (trpc, { id }) => trpc.contracts.end({ id, reason: 'Price' }),
  'contracts.restorePdf': (trpc, { id }) => trpc.contracts.restorePdf({ id }),
  'contracts.reopen': (trpc, { id }) => trpc.contracts.reopen({ id }),
  'contracts.undo': (trpc, { id }) => trpc.contracts.undo({ id }),
  'answers.accept': (trpc, { answerId }) => trpc.answers.accept({ id: answerId }),
  'answers.decline': (trpc, { answerId }) => trpc.answers.decline({ id: answerId }),
  'answers.contractSettings': (trpc, { id }) => trpc.answers.contractSettings({ id }),
  'answers.saveContractSettings': (trpc, { id }) => trpc.answers.saveContractSettings({ id, ...NO_OWN_ANSWERS }),
  'answers.revokeLinks': (trpc, { id }) => trpc.answers.revokeLinks({ id }),
  'answers.list': LEAKS_NOTHING,
  'answers.waiting': LEAKS_NOTHING,
  'answers.settings': LEAKS_NOTHING,
  'answers.saveSettings': LEAKS_NOTHING,
  'activity.list': (trpc, { id }) => trpc.activity.list({ about: 'contract', id }),
  'contacts.list': (trpc, { customerId }) => trpc.contacts.list({ id: customerId }),
  'contacts.add': (trpc, { customerId }) => trpc.contacts.add({ id: customerId, name: 'Mine' }),
  'contacts.update': (trpc, { contactId }) => trpc.contacts.update({ id: contactId, name: 'Mine' }),
  'contacts.remove': (trpc, { contactId }) => trpc.contacts.remove({ id: contactId }),
  'contacts.clearBounce': (trpc, { contactId }) => trpc.contacts.clearBounce({ id: contactId }),
  'contacts.makeFirst': (trpc, { contactId }) => trpc.contacts.makeFirst({ id: contactId, version: 1 }),
  'notes.list': (trpc, { customerId }) => trpc.notes.list({ about: 'customer', id: customerId }),
  'notes.add': (trpc, { id }) => trpc.notes.add({ about: 'contract', id, text: 'Mine' }),
  'notes.update': (trpc, { noteId }) => trpc.notes.update({ id: noteId, text: 'Mine' }),
  'notes.remove': (trpc, { noteId }) => trpc.notes.remove({ id: noteId }),
  'tags.list': LEAKS_NOTHING,
  'tags.rename': (trpc) => trpc.tags.rename({ tag: 'Theirs', name: 'Mine' }),
  'tags.remove': (trpc) => trpc.tags.remove({ tag: 'Theirs' }),
  'views.list': LEAKS_NOTHING,
  'views.listSettings': LEAKS_NOTHING,
  'views.saveListSettings': LEAKS_NOTHING,
  'views.save': LEAKS_NOTHING,
  'views.update': (trpc, { viewId }) => trpc.views.update({ id: viewId, name: 'Mine' }),
  'views.remove': (trpc, { viewId }) => trpc.views.remove({ id: viewId }),
  'bulk.preview': LEAKS_NOTHING,
  'bulk.start': (trpc, { id }) => trpc.bulk.start({ action: 'renew', contracts: { ids: [id] } }),
  'bulk.get': (trpc, { id }) => trpc.bulk.get({ id }),
  'bulk.latest': LEAKS_NOTHING,
  'trash.list': LEAKS_NOTHING,
  'trash.restore': LEAKS_NOTHING,
  'trash.removeContract': (trpc, { id }) => trpc.trash.removeContract({ id }),
  'trash.removeCustomer': (trpc, { customerId }) => trpc.trash.removeCustomer({ id: customerId }),
  'bulk.undo': (trpc, { id }) => trpc.bulk.undo({ id }),
  'contracts.planReminder': (trpc, { id }) => trpc.contracts.planReminder({ id }),
  'contracts.previewReminder': (trpc, { id }) => trpc.contracts.previewReminder({ id }),
  'contracts.undoReminder': (trpc, { id }) => trpc.contracts.undoReminder({ id }),
  'contracts.create': (trpc, { customerId }) =>
    trpc.contracts.create({
      customerId,
      amount: 1,
      startDate: '2026-01-01',
      renewalCycle: 'monthly',
      renewalDate: '2026-02-01',
      status: 'active',
    }),
  'customers.get': (trpc, { customerId }) => trpc.customers.get({ id: customerId }),
  'customers.update': (trpc, { customerId }) => trpc.customers.update({ id: customerId, name: 'Mine' }),
  'customers.remove': (trpc, { customerId }) => trpc.customers.remove({ id: customerId }),
  'identity.revokeApiKey': (trpc, { apiKeyId }) => trpc.identity.revokeApiKey({ id: apiKeyId }),
  'imports.get': (trpc, { importId }) => trpc.imports.get({ id: importId }),
  'imports.removeMapping': (trpc) => trpc.imports.removeMapping({ kind: 'customers', key: 'theirs' }),
  'imports.undo': (trpc, { importId }) => trpc.imports.undo({ id: importId }),
  'notices.post': (trpc, { id }) => trpc.notices.post({ id, on: '2026-03-10' }),
  'notices.ofContract': (trpc, { id }) => trpc.notices.ofContract({ id }),
  'notices.unpost': (trpc, { id }) => trpc.notices.unpost({ id }),
  'noticeRules.ofContract': (trpc, { id }) => trpc.noticeRules.ofContract({ id }),
  'noticeRules.ofCustomer': (trpc, { customerId }) => trpc.noticeRules.ofCustomer({ id: customerId }),
  'noticeRules.change': (trpc, { ruleId }) => trpc.noticeRules.change({ ...A_RULE, id: ruleId }),
  'noticeRules.remove': (trpc, { ruleId }) => trpc.noticeRules.remove({ id: ruleId }),
  'noticeRules.choose': (trpc, { ruleId }) => trpc.noticeRules.choose({ rule: ruleId }),
  'notifications.markRead': (trpc, { notificationId }) => trpc.notifications.markRead({ id: notificationId }),
  'notifications.remove': (trpc, { notificationId }) => trpc.notifications.remove({ id: notificationId }),
  'reminders.bounce': (trpc, { customerId }) => trpc.reminders.bounce({ id: customerId }),
  'reminders.clearBounce': (trpc, { customerId }) => trpc.reminders.clearBounce({ id: customerId }),
  'reminders.ofContract': (trpc, { id }) => trpc.reminders.ofContract({ id }),
  'reminders.ofCustomer': (trpc, { customerId }) => trpc.reminders.ofCustomer({ id: customerId }),
  'reminders.saveContractSettings': (trpc, { id }) => trpc.reminders.saveContractSettings({ id, ...NOTHING_OWN }),
  'reminders.announceMail': (trpc, { customerId }) =>
    trpc.reminders.announceMail({ customerId, renewalDate: '2026-04-01', status: 'active' }),
  'reminders.announceCustomerTags': (trpc, { customerId }) =>
    trpc.reminders.announceCustomerTags({ id: customerId, tags: ['Mine'] }),
  'reminders.announceTag': (trpc) => trpc.reminders.announceTag({ tag: 'Theirs' }),
  'reminders.muteContract': (trpc, { id }) => trpc.reminders.muteContract({ id, reminders: 'off' }),
  'reminders.skip': (trpc, { id }) => trpc.reminders.skip({ ...A_MESSAGE, contractId: id }),
  'reminders.undoSkip': (trpc, { id }) => trpc.reminders.undoSkip({ ...A_MESSAGE, contractId: id }),
  'reminders.snooze': (trpc, { id }) => trpc.reminders.snooze({ ...A_MESSAGE, contractId: id, until: '2026-03-24' }),
  'reminders.planNow': (trpc, { id }) => trpc.reminders.planNow({ ...A_MESSAGE, contractId: id }),
  'reminders.undoPlannedNow': (trpc, { id }) =>
    trpc.reminders.undoPlannedNow({ ...A_MESSAGE, contractId: id, before: null }),
  'reminders.previewText': (trpc, { customerId }) =>
    trpc.reminders.previewText({ kind: 'reminder', ...A_TEXT, customerId }),
  'reminders.sendTestText': (trpc, { customerId }) =>
    trpc.reminders.sendTestText({ kind: 'reminder', ...A_TEXT, customerId }),
  'billing.openPortal': (trpc) => trpc.billing.openPortal(),
  'company.get': LEAKS_NOTHING,
  'company.update': LEAKS_NOTHING,
  'company.removeLogo': LEAKS_NOTHING,
  'company.sendReplyToCode': LEAKS_NOTHING,
  'company.confirmReplyTo': LEAKS_NOTHING,
  'contracts.list': LEAKS_NOTHING,
  'contracts.figures': LEAKS_NOTHING,
  'contracts.renewalSettings': LEAKS_NOTHING,
  'contracts.saveRenewalSettings': LEAKS_NOTHING,
  'contracts.comingConfirmations': LEAKS_NOTHING,
  'customers.list': LEAKS_NOTHING,
  'customers.figures': LEAKS_NOTHING,
  'customers.create': LEAKS_NOTHING,
  'calendar.days': LEAKS_NOTHING,
  'calendar.contracts': LEAKS_NOTHING,
  'dashboard.get': LEAKS_NOTHING,
  'notices.list': LEAKS_NOTHING,
  'notices.incomplete': LEAKS_NOTHING,
  'noticeRules.list': LEAKS_NOTHING,
  'noticeRules.make': LEAKS_NOTHING,
  'noticeRules.adopt': LEAKS_NOTHING,
  'imports.list': LEAKS_NOTHING,
  'imports.mappings': LEAKS_NOTHING,
  'imports.loadSample': LEAKS_NOTHING,
  'notifications.list': LEAKS_NOTHING,
  'notifications.unreadCount': LEAKS_NOTHING,
  'notifications.markAllRead': LEAKS_NOTHING,
  'notifications.clear': LEAKS_NOTHING,
  'notifications.restore': LEAKS_NOTHING,
  'reminders.list': LEAKS_NOTHING,
  'reminders.coming': LEAKS_NOTHING,
  'reminders.unreachable': LEAKS_NOTHING,
  'reminders.settings': LEAKS_NOTHING,
  'reminders.proofHead': LEAKS_NOTHING,
  'reminders.saveProofHead': LEAKS_NOTHING,
  'reminders.ownBounce': LEAKS_NOTHING,
  'reminders.clearOwnBounce': LEAKS_NOTHING,
  'reminders.runs': LEAKS_NOTHING,
  'reminders.mailLimits': LEAKS_NOTHING,
  'reminders.previewSettings': LEAKS_NOTHING,
  'reminders.saveSettings': LEAKS_NOTHING,
  'reminders.texts': LEAKS_NOTHING,
  'reminders.saveText': LEAKS_NOTHING,
  'reminders.resetText': LEAKS_NOTHING,
  'billing.subscription': LEAKS_NOTHING,
  'billing.refresh': LEAKS_NOTHING,
  'billing.startCheckout': LEAKS_NOTHING,
  'identity.config': LEAKS_NOTHING,
  'identity.refresh': LEAKS_NOTHING,
  'identity.adoptTimeZone': LEAKS_NOTHING,
  'identity.account': LEAKS_NOTHING,
  'identity.setTimeZone': LEAKS_NOTHING,
  'identity.apiKeys': LEAKS_NOTHING,
  'identity.createApiKey': LEAKS_NOTHING,
  'identity.sessions': LEAKS_NOTHING,
  'identity.endSession': LEAKS_NOTHING,
  'identity.signOutOthers': LEAKS_NOTHING,
  'identity.deleteAccount': LEAKS_NOTHING,
}

test('every procedure stands in the table above', () => {
  expect(Object.keys(PROCEDURES).toSorted()).toEqual(Object.keys(appRouter._def.procedures).toSorted())
})

describe("naming another account's rows through tRPC", () => {
  const naming = Object.entries(PROCEDURES).flatMap(([path, use]) => (use === LEAKS_NOTHING ? [] : [{ path, use }]))

  test('is answered "not found" by each procedure, and changes nothing', async () => {
    const owner = await anAccount(world)
    const theirs = await records(owner)
    const before = await everythingOf(owner)
    const stranger = callerOf(await anAccount(world))
    for (const { path, use } of naming) {
      await expect(use(stranger, theirs), path).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(await everythingOf(owner), path).toEqual(before)
    }
  })

  test('lists and totals of another account are empty', async () => {
    const { id } = await records(await anAccount(world))
    const trpc = callerOf(await anAccount(world))
    const renewal = await trpc.bulk.preview({ action: 'renew', contracts: { ids: [id] }, confirm: true })
    expect(renewal).toMatchObject({ count: 0, emails: 0, customers: 0 })
    expect(await trpc.contracts.comingConfirmations()).toMatchObject({ contracts: 0, told: 0, first: [] })
    expect(await trpc.contracts.list({})).toMatchObject({ total: 0, rows: [] })
    expect(await trpc.contracts.figures()).toMatchObject({ total: 0 })
    expect(await trpc.customers.list({})).toMatchObject({ total: 0, rows: [] })
    expect(await trpc.customers.figures()).toMatchObject({ total: 0 })
    expect(await trpc.dashboard.get()).toMatchObject({ totalContracts: 0, totalCustomers: 0, expiringContracts: [] })
    const always = { from: '2026-01-01', through: '2026-12-31' }
    expect(await trpc.calendar.days(always)).toMatchObject({ days: [] })
    expect(await trpc.calendar.contracts(always)).toMatchObject({ renewals: [], notices: [] })
    expect(await trpc.identity.apiKeys()).toEqual([])
    expect(await trpc.imports.list({})).toMatchObject({ total: 0, rows: [] })
    expect(await trpc.imports.mappings()).toEqual([])
    expect(await trpc.answers.list({})).toMatchObject({ total: 0, rows: [] })
    expect(await trpc.answers.waiting()).toEqual({ count: 0 })
    expect(await trpc.answers.settings()).toEqual(DEFAULT_ANSWERS)
    expect(await trpc.notifications.list({})).toMatchObject({ total: 0, rows: [] })
    for (const show of ['due', 'given', 'missed'] as const)
      expect(await trpc.notices.list({ show })).toMatchObject({ rows: [], total: 0, amount: 0 })
    expect(await trpc.notices.incomplete({})).toMatchObject({ rows: [], total: 0, amount: 0 })
    expect(await trpc.noticeRules.list()).toMatchObject({
      rules: [],
      chosen: { account: null, tags: [], contracts: 0 },
    })
    expect(await trpc.notifications.unreadCount()).toEqual({ count: 0 })
    expect(await trpc.reminders.list({})).toMatchObject({ total: 0, rows: [] })
    expect(await trpc.reminders.coming({})).toEqual({ rows: [], next: null })
    expect(await trpc.reminders.unreachable()).toMatchObject({ total: 0, customers: [] })
    expect(await trpc.reminders.previewSettings({ ...DEFAULT_SETTINGS, reminderDays: [3] })).toMatchObject({
      added: { count: 0 },
      removed: { count: 0 },
    })
    expect(await trpc.reminders.ownBounce()).toBeNull()
    expect(await trpc.reminders.mailLimits()).toMatchObject({ sentToday: 0 })
    expect(await trpc.company.get()).toMatchObject({ replyTo: null, postalAddress: null, logoPath: null })
    expect(await trpc.reminders.texts()).toMatchObject({
      reminder: { isDefault: true },
      follow_up: { isDefault: true },
    })
    const preview = await trpc.reminders.previewText({ kind: 'reminder', ...A_TEXT })
    expect(preview).toMatchObject({ isExample: true, subject: 'For Example Customer' })
  })

  test("what is done for all of one's own leaves another account's alone", async () => {
    const owner = await anAccount(world)
    await records(owner)
    const before = await everythingOf(owner)
    const trpc = callerOf(await anAccount(world))
    await trpc.notifications.markAllRead()
    await trpc.notifications.clear()
    await trpc.notifications.restore({ since: '2026-01-01T00:00:00Z' })
    await trpc.reminders.saveSettings({ ...DEFAULT_SETTINGS, hour: 17 })
    await trpc.reminders.saveText({ kind: 'follow_up', ...A_TEXT })
    await trpc.answers.saveSettings({ ...DEFAULT_ANSWERS, renewal: 'at_once' })
    await trpc.reminders.resetText({ kind: 'reminder' })
    await trpc.reminders.clearOwnBounce()
    await trpc.company.update({ name: 'Mine', replyTo: 'mine@mill.test', postalAddress: 'Mine' })
    await expect(trpc.company.removeLogo()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(trpc.company.confirmReplyTo({ code: '000000' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(trpc.company.sendReplyToCode()).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
    await trpc.identity.setTimeZone({ timeZone: 'Asia/Tokyo' })
    expect(await everythingOf(owner)).toEqual(before)
  })
})

describe("naming another account's rows through REST", () => {
  const NAMING = [
    ['GET', '/customers/:customerId'],
    ['PUT', '/customers/:customerId'],
    ['DELETE', '/customers/:customerId'],
    ['GET', '/customers/:customerId/bounce'],
    ['DELETE', '/customers/:customerId/bounce'],
    ['GET', '/contracts/:id'],
    ['PUT', '/contracts/:id'],
    ['DELETE', '/contracts/:id'],
    ['POST', '/contracts/:id/reminder'],
    ['POST', '/contracts/:id/renew'],
    ['POST', '/contracts/:id/renew/preview'],
    ['GET', '/contracts/:id/pdf'],
    ['POST', '/contracts/:id/pdf/restore'],
    ['PUT', '/notifications/:notificationId/read'],
    ['DELETE', '/notifications/:notificationId'],
    ['GET', '/contracts/:id/reminders'],
    ['GET', '/customers/:customerId/reminders'],
    ['GET', '/contracts/:id/activity'],
    ['GET', '/customers/:customerId/activity'],
    ['POST', '/contracts/:id/notice-letter'],
    ['DELETE', '/contracts/:id/notice-letter'],
    ['GET', '/contracts/:id/notice-window'],
    ['GET', '/customers/:customerId/notice-rule'],
    ['PUT', '/notice-rules/:ruleId'],
    ['DELETE', '/notice-rules/:ruleId'],
    ['GET', '/contracts/:id/notes'],
    ['POST', '/contracts/:id/notes'],
    ['GET', '/customers/:customerId/contacts'],
    ['POST', '/customers/:customerId/contacts'],
    ['PUT', '/contacts/:contactId'],
    ['POST', '/contacts/:contactId/first'],
    ['DELETE', '/contacts/:contactId'],
    ['DELETE', '/contacts/:contactId/bounce'],
    ['PUT', '/notes/:noteId'],
    ['DELETE', '/notes/:noteId'],
    ['PUT', '/views/:viewId'],
    ['DELETE', '/views/:viewId'],
    ['PUT', '/tags/Theirs'],
    ['DELETE', '/tags/Theirs'],
    ['GET', '/imports/:importId'],
    ['GET', '/imports/:importId/errors.csv'],
    ['DELETE', '/imports/:importId'],
    ['DELETE', '/imports/mappings/customers/theirs'],
    ['DELETE', '/api-keys/:apiKeyId'],
  ] as const

  const LETTER = 'POST /contracts/:id/notice-letter'

  test('is answered 404 by each route, and changes nothing', async () => {
    const owner = await anAccount(world)
    const theirs = await records(owner)
    const before = await everythingOf(owner)
    const headers = bearer(await anAccount(world))
    for (const [method, path] of NAMING) {
      const url = path.replaceAll(/:(\w+)/g, (_, name: keyof Ids) => String(theirs[name]))
      const payload =
        method === 'PUT' || /\/(?:notes|contacts|first)$/.test(path) || `${method} ${path}` === LETTER
          ? changeOf(path)
          : undefined
      const answer = await call(server, { method, url, headers, ...(payload && { payload }) })
      const refused = { status: 404, body: { error: expect.stringContaining('not found') } }
      expect(answer, `${method} ${path}`).toMatchObject(refused)
      expect(await everythingOf(owner), `${method} ${path}`).toEqual(before)
    }
  })

  const ABOUT = [
    ['POST', '/reminders/skip', A_MESSAGE],
    ['POST', '/reminders/undo-skip', A_MESSAGE],
    ['POST', '/reminders/send', A_MESSAGE],
    ['PUT', '/contracts/:id/reminders', NOTHING_OWN],
    ['POST', '/notifications/texts/reminder/preview', A_TEXT],
    ['POST', '/notifications/texts/reminder/test', A_TEXT],
    ['POST', '/reminders/snooze', { ...A_MESSAGE, until: '2026-03-24' }],
  ] as const

  test('in what is sent is answered 404 by each route, and changes nothing', async () => {
    const owner = await anAccount(world)
    const { id, customerId } = await records(owner)
    const before = await everythingOf(owner)
    const headers = bearer(await anAccount(world))
    for (const [method, path, sent] of ABOUT) {
      const payload = {
        ...sent,
        ...('renewalDate' in sent && { contractId: id }),
        ...(sent === A_TEXT && { customerId }),
      }
      const answer = await call(server, { method, url: path.replace(':id', String(id)), headers, payload })
      expect(answer, path).toMatchObject({ status: 404, body: { error: expect.stringContaining('not found') } })
      expect(await everythingOf(owner), path).toEqual(before)
    }
  })

  test("POST /contracts for another account's customer answers 404", async () => {
    const { customerId } = await records(await anAccount(world))
    const headers = bearer(await anAccount(world))
    const dates = { startDate: '2026-01-01', renewalDate: '2026-02-01' }
    const payload = { customerId, amount: 1, renewalCycle: 'monthly', status: 'active', ...dates }
    expect(await call(server, { method: 'POST', url: '/contracts', headers, payload })).toMatchObject({ status: 404 })
  })
})

test('no row of an account is readable, whatever the statement, while another account is set', async () => {
  await records(await anAccount(world))
  const other = await anAccount(world)
  for (const table of [
    'customers',
    'contracts',
    'notifications',
    'imports',
    'import_failures',
    'import_mappings',
    'reminders',
    'reminder_preferences',
    'reminder_texts',
    'contract_reminder_preferences',
    'answer_settings',
    'answer_links',
    'customer_answers',
    'reminder_schedules',
    'bounced_addresses',
    'companies',
    'reply_to_codes',
    'subscriptions',
    'api_keys',
    'tags',
    'saved_views',
    'list_settings',
    'kept_pdfs',
  ]) {
    const rows = await world.db.writeAs(other.caller?.id ?? 0, (em) =>
      em.execute<{ account_id: number }[]>(`select account_id from ${table}`),
    )
    expect(rows.filter((row) => row.account_id !== other.caller?.id)).toEqual([])
  }
})

test('the role that works across accounts reaches no customers, contracts or notifications', async () => {
  for (const table of ['customers', 'contracts', 'notifications']) {
    await expect(world.db.system.query(`select * from ${table}`)).rejects.toThrow('permission denied')
  }
})

async function everythingOf(owner: RequestContext) {
  const trpc = callerOf(owner)
  return [
    await trpc.contracts.list({}),
    await trpc.customers.list({}),
    await trpc.notifications.list({}),
    await trpc.reminders.list({}),
    await trpc.reminders.coming({}),
    await trpc.reminders.settings(),
    await trpc.answers.list({}),
    await trpc.answers.settings(),
    await trpc.reminders.texts(),
    await trpc.imports.list({}),
    await trpc.imports.mappings(),
    await trpc.identity.apiKeys(),
    await trpc.identity.account(),
    await trpc.company.get(),
    await trpc.tags.list(),
    await trpc.views.list(),
    await trpc.views.listSettings(),
    ...(await activityOf(owner)),
  ]
}

async function activityOf(owner: RequestContext) {
  const trpc = callerOf(owner)
  const { rows } = await trpc.contracts.list({})
  return Promise.all(
    rows.flatMap(({ id, customerId }) => [
      trpc.activity.list({ about: 'contract', id }),
      trpc.activity.list({ about: 'customer', id: customerId }),
      trpc.notes.list({ about: 'contract', id }),
      trpc.contacts.list({ id: customerId }),
    ]),
  )
}

/** What a PUT to this address takes. */
function changeOf(path: string): object {
  if (path.includes('notes')) return { text: 'Mine' }
  if (path.endsWith('/notice-letter')) return { on: '2026-03-10' }
  if (path.startsWith('/notice-rules')) return A_RULE
  if (path.startsWith('/tags')) return { name: 'Mine' }
  if (path.endsWith('/first')) return { version: 1 }
  if (path.includes('contacts')) return { name: 'Mine' }
  if (path.startsWith('/contracts')) return { status: 'expired' }
  return path.startsWith('/customers') ? { name: 'Mine' } : {}
}
