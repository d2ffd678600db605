import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RequestContext } from '#server/context.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { useImports } from '#support/imports.ts'
import { aMailbox } from '#support/mailbox.ts'
import { routeList } from '#support/routes.ts'
import { aContract, aCustomer, anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const { routes, plugin } = routeList()
const server = useApp(world, { mailer: aMailbox().mailer }, { plugins: [plugin] })
const { importCustomers } = useImports(server)

/** Answers that are no JSON. */
const FILES = /(?:\.csv|\/export|\/pdf|-template|\/notice-letter)$/
const PARAMETERS = /:\w+/

/** An account that has a row of every list. */
async function anAccountWithRows() {
  const request = await anAccount(world)
  const { id: reached } = await aCustomer(request, { name: 'Reached', email: 'orders@reached.test' })
  const { id } = await aContract(request, { customerId: reached, renewalDate: '2026-03-20', tags: ['VIP'] })
  await aContract(request, { renewalDate: '2026-02-20' })
  await aContract(request, { renewalDate: '2026-04-05', noticePeriod: '21 days' })
  await call(server, { method: 'POST', url: `/contracts/${id}/reminder`, headers: bearer(request) })
  const soon = { renewalDate: '2026-03-21', renews: 'automatic' } as const
  const { id: waiting } = await aContract(request, { customerId: reached, ...soon })
  await call(server, { method: 'POST', url: `/contracts/${waiting}/reminder`, headers: bearer(request) })
  await importCustomers(request, 'Fantasy\nAcme\n', `?mapping=${encodeURIComponent('{"name":1}')}`)
  await anApiKey(request)
  const note = { url: `/contracts/${id}/notes`, headers: bearer(request), payload: { text: 'A note' } }
  await call(server, { method: 'POST', ...note })
  const contact = { url: `/customers/${reached}/contacts`, headers: bearer(request), payload: { name: 'Ada' } }
  await call(server, { method: 'POST', ...contact })
  const view = { url: '/views', headers: bearer(request), payload: { name: 'VIPs', search: { tag: 'VIP' } } }
  await call(server, { method: 'POST', ...view })
  const rule = { name: 'Ours', unit: 'days', from: 30, until: 1, countedFrom: 'renewal_date', means: ['email'] }
  const { id: lacking } = await aContract(request, { renewalDate: '2026-06-01', renews: 'automatic' })
  for (const [contractId, payload] of [
    [waiting, rule],
    [lacking, { ...rule, countedFrom: 'last_day_for_notice' }],
  ] as const) {
    const { body } = await call(server, { method: 'POST', url: '/notice-rules', headers: bearer(request), payload })
    const chosen = { contractId, rule: body.id }
    await call(server, { method: 'PUT', url: '/notice-rules/chosen', headers: bearer(request), payload: chosen })
  }
  const { id: deleted } = await aContract(request)
  await call(server, { method: 'DELETE', url: `/contracts/${deleted}`, headers: bearer(request) })
  const accountId = request.caller?.id ?? 0
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `insert into customer_answers (account_id, contract_id, customer_id, customer_name, term_number, number, contact_id, address,
        choice, state, offer, answered_at)
      select account_id, id, customer_id, 'Reached', 1, 1, 0, 'orders@reached.test', 'renew', 'waiting', jsonb_build_object(
        'customerId', customer_id, 'termNumber', 1, 'amountCents', amount_cents, 'renewalCycle', renewal_cycle, 'renewalDate',
        renewal_date, 'renews', renews, 'noticePeriod', null, 'nextAmountCents', null, 'nextCycle', null), now()
      from contracts where id = ?`,
      [id],
    ),
  )
  await world.db.writeAs(accountId, (em) =>
    em.execute(`insert into notifications (account_id, type, title, message) values (?, 'other', 'T', 'M')`, [
      accountId,
    ]),
  )
  await world.db.writeAs(accountId, (em) =>
    em.execute(
      `update reminders set state = 'planned', next_attempt_at = now(), sent_on = null, sent_at = null, ended_at = null
        where contract_id = ?`,
      [waiting],
    ),
  )
  return { request, id, reached }
}

/** Every list in a JSON answer, by where it is: `rows` of an object, or the answer itself. */
function listsIn(body: unknown): Map<string, unknown[]> {
  if (Array.isArray(body)) return new Map([['', body]])
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new Map(entries.filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])))
}

const fieldsOf = (row: unknown) => (typeof row === 'object' && row !== null ? Object.keys(row).toSorted() : typeof row)

/** The fields of each list, by the call and the name of the list within its answer, as the README has them. */
function documentedLists(): Map<string, string[]> {
  const [, table = ''] = readFileSync('README.md', 'utf8').split('| list | fields of a row |\n|---|---|\n')
  const lines = table.slice(0, table.indexOf('\n\n')).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, lists = '', cell = ''] = line.split('|')
      const [call = '', ...names] = codesIn(lists)
      // What a field consists of is in parentheses.
      const fields = codesIn(cell.replaceAll(/\([^)]*\)/g, '')).toSorted()
      return (names.length > 0 ? names : ['']).map((name): [string, string[]] => [`${call} ${name}`.trim(), fields])
    }),
  )
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

async function answeredLists({ request, id, reached }: { request: RequestContext; id: number; reached: number }) {
  const found = new Map<string, unknown[]>()
  for (const { url, method, config = {} } of routes) {
    const known = url
      .replace('/contracts/:id', `/contracts/${id}`)
      .replace(/\/:id\/(contacts|reminders)/, `/${reached}/$1`)
    if (method !== 'GET' || !('keyScope' in config) || FILES.test(url) || PARAMETERS.test(known)) continue
    const { status, body } = await call(server, { url: known, headers: bearer(request) })
    expect({ url, status }).toEqual({ url, status: 200 })
    for (const [name, rows] of listsIn(body)) {
      const list = `GET ${url.replaceAll(/:(\w+)/g, '{$1}')} ${name}`.trim()
      if (rows.length === 0 || typeof rows[0] === 'object') found.set(list, rows.map(fieldsOf))
    }
  }
  return found
}

test('the rows of every list have the fields that the README says, and no others', async () => {
  const found = await answeredLists(await anAccountWithRows())
  const documented = documentedLists()
  expect([...found.keys()].toSorted()).toEqual([...documented.keys()].toSorted())
  for (const [list, rows] of found) {
    expect(rows.length, list).toBeGreaterThan(0)
    for (const fields of rows) expect({ list, fields }).toEqual({ list, fields: documented.get(list) })
  }
})
