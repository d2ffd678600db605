import { expect, test } from 'vitest'
import { useApp } from '#support/app.ts'
import { useServerProcess } from '#support/server-process.ts'
import { aSpreadsheet, aWorkbook, sheetXml } from '#support/spreadsheet.ts'
import { upload } from '#support/upload.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const MOST_GROWTH_MB = 250
/** It takes twice as long; work that grows with the square of the size takes hundreds of times as long. */
const MOST_TIMES_AS_LONG = 10
const NAMED = sheetXml([['Name']])
const server = useServerProcess(world)
const inProcess = useApp(world)

async function aKey(): Promise<string> {
  return anApiKey(await anAccount(world))
}

async function send(key: string, content: Buffer, kind = 'customers') {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(content)]), 'file.xlsx')
  const answer = await fetch(`${server.origin}/${kind}/bulk-upload?again=true`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
  })
  return { status: answer.status, body: await answer.json() }
}

const cellAt = (reference: string) =>
  aWorkbook(`${NAMED}<row r="${reference.replaceAll(/\D/g, '')}"><c r="${reference}" t="str"><v>A</v></c></row>`)

const UNREADABLE = { status: 422, body: { error: 'This file cannot be read as a CSV or Excel file' } }
const TOO_LARGE = {
  status: 413,
  body: { error: 'The spreadsheet is too large. Save it as a CSV file and upload that' },
}
const TOO_MANY_ROWS = { status: 413, body: { error: expect.stringContaining('more than 200,000 rows') } }
const TOO_MANY_COLUMNS = { status: 422, body: { error: expect.stringContaining('more than 1,000 columns') } }
const EMPTY = { status: 422, body: { error: 'The file has no rows' } }

const EVERY_ROW = Array.from({ length: 1000 }, (_, n) => n + 2)
const SHARED = `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>`
const sharedText = () =>
  aWorkbook(
    NAMED + EVERY_ROW.map((row) => `<row r="${row}"><c r="A${row}" t="s"><v>0</v></c></row>`).join(''),
    (parts) => ({ ...parts, 'xl/sharedStrings.xml': SHARED }),
  )

const WORKBOOKS: [what: string, make: () => Buffer, refusal: object][] = [
  ['a cell beyond every column', () => cellAt('AAAAAA2'), UNREADABLE],
  ['a cell still further out', () => cellAt('AAAAAAA2'), UNREADABLE],
  ['the last cell of a sheet', () => cellAt('XFD1048576'), TOO_MANY_COLUMNS],
  ['a cell after a gap of a million rows', () => cellAt('A1048576'), TOO_MANY_ROWS],
  ['90 MB of spaces in 93 kB', () => aWorkbook(NAMED + ' '.repeat(90e6)), UNREADABLE],
  ['one text of 900,000 characters in 1,000 cells', sharedText, TOO_LARGE],
  ['a date that no calendar has', () => aWorkbook(`${NAMED}<row r="2"><c r="A2" s="1"><v>1e300</v></c></row>`), EMPTY],
]

test.each([
  ...WORKBOOKS.map((workbook) => ['customers', ...workbook] as const),
  // Read by the same process.
  ...WORKBOOKS.slice(0, 4).map((workbook) => ['contracts', ...workbook] as const),
])('a workbook of %s with %s is refused, and the server goes on', async (kind, _what, make, refusal) => {
  const [hostile, other] = await Promise.all([aKey(), aKey()])
  const before = server.memory()
  const answer = send(hostile, make(), kind)
  const [customers, health] = await Promise.all([
    fetch(`${server.origin}/customers`, { headers: { authorization: `Bearer ${other}` } }),
    fetch(`${server.origin}/healthz`),
  ])
  expect([customers.status, health.status]).toEqual([200, 200])
  expect(await answer).toMatchObject(refusal)
  expect(server.app.child.exitCode).toBeNull()
  expect(server.memory() - before).toBeLessThan(MOST_GROWTH_MB)
})

const LONG_AMOUNT = (blank: string) =>
  [
    'Customer,Amount,Start Date,Renewal Cycle,Renewal Date',
    ...Array.from({ length: 100 }, () => `Acme,1${blank.repeat(9000)}x,2026-01-01,monthly,2026-02-01`),
  ].join('\n')

test.each([
  ['amounts with thousands of spaces', LONG_AMOUNT(' '), LONG_AMOUNT('x'), 200],
  ['one row of a million commas', ','.repeat(999_999), 'x'.repeat(999_999), 422],
  ['one heading of 600,000 letters', 'ﷺ'.repeat(300_000), 'x'.repeat(900_000), 422],
])('a text file with %s takes the server little longer than any of its size', async (_what, hostile, plain, status) => {
  const harmless = await costOf(plain, status)
  expect(await costOf(hostile, status)).toBeLessThan(MOST_TIMES_AS_LONG * harmless)
})

/** What an import takes of the processor, whatever else the machine does. Nobody else is served meanwhile. */
async function costOf(content: string, status: number): Promise<number> {
  const request = await anAccount(world)
  const before = process.threadCpuUsage()
  const answer = await upload(inProcess, request, { url: '/contracts/bulk-upload', content })
  const { user, system } = process.threadCpuUsage(before)
  expect(answer.status).toBe(status)
  return user + system
}

test('an account that sends many large files at once is told so, and the others are served between', async () => {
  const [greedy, other] = await Promise.all([aKey(), aKey()])
  // It takes a while to start a process and read it, and no time to import.
  const large = aSpreadsheet([['Name'], ...Array.from({ length: 20_000 }, () => [' ']), ['Acme']])
  const order: string[] = []
  const all = Array.from({ length: 6 }, () => send(greedy, large).finally(() => order.push('greedy')))
  const refused = await Promise.race(all)
  expect(refused).toMatchObject({ status: 429, body: { refusal: 'TOO_MANY_AT_ONCE' } })
  const served = send(other, aSpreadsheet([['Name'], ['Acme']])).finally(() => order.push('other'))
  expect(await served).toMatchObject({ status: 200 })
  const answers = await Promise.all(all)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  expect(order.lastIndexOf('other')).toBeLessThan(order.lastIndexOf('greedy'))
})
