import { expect, test } from 'vitest'
import { useServerProcess } from '#support/server-process.ts'
import { aSpreadsheet, aWorkbook, sheetXml } from '#support/spreadsheet.ts'
import { anAccount, anApiKey, useWorld } from '#support/world.ts'

const world = useWorld()
const MOST_GROWTH_MB = 250
const MOST_QUERIES_MEANWHILE = 4000
const NAMED = sheetXml([['Name']])
const server = useServerProcess(world)

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

const EVERY_ROW = Array.from({ length: 100_000 }, (_, n) => n + 2)
const SHARED = `<sst><si><t>${'x'.repeat(900_000)}</t></si></sst>`
const sharedText = () =>
  aWorkbook(
    NAMED + EVERY_ROW.map((row) => `<row r="${row}"><c r="A${row}" t="s"><v>0</v></c></row>`).join(''),
    (parts) => ({ ...parts, 'xl/sharedStrings.xml': SHARED }),
  )

test.each([
  ['a cell beyond every column', () => cellAt('AAAAAA2'), UNREADABLE],
  ['a cell still further out', () => cellAt('AAAAAAA2'), UNREADABLE],
  ['the last cell of a sheet', () => cellAt('XFD1048576'), TOO_MANY_COLUMNS],
  ['a cell after a gap of a million rows', () => cellAt('A1048576'), TOO_MANY_ROWS],
  ['90 MB of spaces in 93 kB', () => aWorkbook(NAMED + ' '.repeat(90e6)), UNREADABLE],
  ['one text of 900,000 characters in 100,000 cells', sharedText, TOO_LARGE],
  ['a date that no calendar has', () => aWorkbook(`${NAMED}<row r="2"><c r="A2" s="1"><v>1e300</v></c></row>`), EMPTY],
])('a workbook with %s is refused, and the server goes on', async (_what, make, refusal) => {
  const [hostile, other] = await Promise.all([aKey(), aKey()])
  const before = server.memory()
  const answer = send(hostile, make())
  const [customers, health] = await Promise.all([
    fetch(`${server.origin}/customers`, { headers: { authorization: `Bearer ${other}` } }),
    fetch(`${server.origin}/healthz`),
  ])
  expect([customers.status, health.status]).toEqual([200, 200])
  expect(await answer).toMatchObject(refusal)
  expect(server.app.child.exitCode).toBeNull()
  expect(server.memory() - before).toBeLessThan(MOST_GROWTH_MB)
})

test.each([
  ['amounts with thousands of spaces', `1${' '.repeat(9000)}x,2026-01-01,monthly,2026-02-01`, 200],
  ['one row of a million commas', ','.repeat(999_999), 422],
  ['one heading of 600,000 letters', 'ﷺ'.repeat(300_000), 422],
])('a text file with %s keeps nobody waiting', async (_what, row, status) => {
  const [hostile, other] = await Promise.all([aKey(), aKey()])
  const head = status === 200 ? 'Customer,Amount,Start Date,Renewal Cycle,Renewal Date\n' : ''
  const rows = Array.from({ length: status === 200 ? 100 : 1 }, () => (status === 200 ? `Acme,${row}` : row))
  const answer = send(hostile, Buffer.from(head + rows.join('\n')), 'contracts')
  expect(await longestWait(other, answer)).toBeLessThan(MOST_QUERIES_MEANWHILE)
  expect((await answer).status).toBe(status)
})

/**
 * Asks the server again and again until something else is over, and beside it the database: how many queries it has
 * answered, at most, while the server owed an answer. On a slow machine both take longer.
 */
async function longestWait(key: string, other: Promise<unknown>): Promise<number> {
  let [isOver, queries, longest] = [false, 0, 0]
  const end = () => void (isOver = true)
  void other.then(end, end)
  const ask = async () => {
    do {
      const before = queries
      expect((await fetch(`${server.origin}/customers`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
        200,
      )
      longest = Math.max(longest, queries - before)
    } while (!isOver)
  }
  const query = async () => {
    while (!isOver) {
      await world.db.system.query('select')
      queries += 1
    }
  }
  await Promise.all([ask(), query()])
  return longest
}

test('an account that sends many large files at once is told so, and the others are served between', async () => {
  const [greedy, other] = await Promise.all([aKey(), aKey()])
  // It takes a while to read, and no time to import.
  const large = aSpreadsheet([['Name'], ...Array.from({ length: 60_000 }, () => [' ']), ['Acme']])
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
