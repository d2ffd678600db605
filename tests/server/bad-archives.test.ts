import { Readable } from 'node:stream'
import { zipSync } from 'fflate'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { importArchive as importDirectly } from '#server/archives/archive.service.ts'
import { openArchive } from '#server/archives/archive-reader.ts'
import { readArchive } from '#server/archives/read-archive.ts'
import type { RequestContext } from '#server/context.ts'
import type { Write } from '#server/db/database.ts'
import { readInstallation } from '#server/files/files.service.ts'
import { saveUpload } from '#server/imports/sheet/upload-file.ts'
import type { FileStore } from '#server/storage/file-store.ts'
import { useApp } from '#support/app.ts'
import { archiveOf, changedArchive, fileOf, fillAccount, importArchive, rowsIn, type Row } from '#support/archives.ts'
import { all, keysIn } from '#support/pdf.ts'
import { memoryFiles } from '#support/services.ts'
import { upload } from '#support/upload.ts'
import { anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const files = memoryFiles()
const server = useApp(world, { files })

let made: Buffer | undefined

/** The archive of an account with something of everything, made once. */
async function aFullArchive(): Promise<Buffer> {
  if (made) return made
  const request = await anAccount(world, { services: { files } })
  await fillAccount(request)
  made = await archiveOf(server, request)
  return made
}

/** Reads all of an archive in this process. */
async function readAll(archive: Buffer, options?: { mostRows: number }): Promise<void> {
  const readAt = (position: number, length: number) => archive.subarray(position, position + length)
  await all(readArchive(archive.length, readAt, options))
}

/** The archive with a change of one row of a table. */
function withRow(archive: Buffer, table: string, change: (row: Row, rows: Row[]) => Row, at = 0): Buffer {
  const rows = rowsIn(archive, table)
  const changed = rows.map((row, index) => (index === at ? change(row, rows) : row))
  return changedArchive(archive, { [`${table}.json`]: fileOf(changed) })
}

function changed(columns: unknown, changes: object): object {
  return { ...z.looseObject({}).parse(columns), ...changes }
}

/** The directory of the archive says something else of one of its files. */
function withSize(archive: Buffer, name: string, size: number): Buffer {
  const changed = Buffer.from(archive)
  const at = changed.lastIndexOf(name) - 46
  changed.writeUInt32LE(size, at + 24)
  return changed
}

/** The directory of the archive says that one of its files begins where another one does, or so many bytes later. */
function withOverlap(archive: Buffer, name: string, other: string, later = 0): Buffer {
  const changed = Buffer.from(archive)
  const [at, of] = [name, other].map((file) => changed.lastIndexOf(file) - 46)
  changed.writeUInt32LE(changed.readUInt32LE((of ?? 0) + 42) + later, (at ?? 0) + 42)
  return changed
}

/** A new account, what the import of a file answers, and that nothing of it is there. */
async function refusalOf(content: Buffer, query = '') {
  const fresh = await anAccount(world, { services: { files }, company: null })
  const before = await rowsOf(fresh)
  const { status, body } = await importArchive(server, fresh, content, query)
  expect(await rowsOf(fresh)).toEqual(before)
  return { status, error: body.error, refusal: body.refusal }
}

/** All that the account has in the tables to which an import writes first and last. */
function rowsOf({ db, caller }: RequestContext) {
  const tables = ['customers', 'contracts', 'activity', 'reminders', 'tags', 'companies']
  const ofTable = (table: string) => `select '${table}' as name, jsonb_agg(to_jsonb(t)) as rows from ${table} t`
  return db.writeAs(caller?.id ?? 0, (em) => em.execute(tables.map(ofTable).join(' union all ')))
}

describe('a file that is no archive is refused, and nothing is written', () => {
  test.each([
    ['a text', () => Buffer.from('hello'), 'ARCHIVE_UNREADABLE'],
    ['nothing', () => Buffer.alloc(0), 'ARCHIVE_UNREADABLE'],
    ['another zip', () => Buffer.from(zipSync({ 'a.txt': Buffer.from('a') })), 'ARCHIVE_INCOMPLETE'],
  ])('%s', async (_what, make, refusal) => {
    expect(await refusalOf(make())).toMatchObject({ status: 422, refusal })
  })

  test('a file with another name', async () => {
    const answer = await upload(server, await anAccount(world), { url: '/imports/archive', content: 'Name\n' })
    expect(answer).toMatchObject({ status: 415, body: { error: 'Please select the zip file of an exported account' } })
  })

  test('a truncated one, one of another version, one without a file, and a damaged one', async () => {
    const archive = await aFullArchive()
    expect(await refusalOf(archive.subarray(0, -500))).toMatchObject({ refusal: 'ARCHIVE_UNREADABLE' })
    const older = changedArchive(archive, { 'archive.json': undefined })
    expect(await refusalOf(older)).toMatchObject({ refusal: 'ARCHIVE_OF_OTHER_VERSION' })
    const newer = changedArchive(archive, { 'archive.json': '{"format":2}' })
    expect(await refusalOf(newer, '?preview=true')).toMatchObject({ status: 422, refusal: 'ARCHIVE_OF_OTHER_VERSION' })
    const incomplete = changedArchive(archive, { 'notes.json': undefined })
    expect(await refusalOf(incomplete)).toMatchObject({
      error: 'This is not the archive of an account, or it is incomplete: notes.json is missing',
    })
    const name = archive.indexOf('contracts.json')
    // In its content, and where its entry begins.
    for (const at of [name + 'contracts.json'.length + 20, name - 30]) {
      const damaged = Buffer.from(archive)
      damaged[at] = (damaged[at] ?? 0) ^ 0xff
      expect(await refusalOf(damaged)).toMatchObject({
        status: 422,
        error: 'contracts.json in this archive is damaged. Export the account again',
      })
    }
  })
})

const invalid = (file: string, row: number, problem: string) =>
  `${file} in this archive has a mistake in row ${row}: ${problem}`

describe('a row with a mistake is named', () => {
  test.each<[string, (archive: Buffer) => Buffer, string]>([
    [
      'JSON that is none',
      (archive) => changedArchive(archive, { 'notes.json': '[\n{"id":1},\n{"id":\n]\n' }),
      invalid('notes.json', 1, 'customerId: Invalid input: expected number, received undefined'),
    ],
    [
      'JSON that ends too early',
      (archive) => changedArchive(archive, { 'customers.json': fileOf(rowsIn(archive, 'customers')).slice(0, -4) }),
      invalid('customers.json', 4, 'It is not valid JSON'),
    ],
    [
      'a list that does not end',
      (archive) => changedArchive(archive, { 'tags.json': '[\n{"name":"VIP"}' }),
      invalid('tags.json', 2, 'The list does not end'),
    ],
    [
      'an object in place of a list',
      (archive) => changedArchive(archive, { 'tags.json': '{}' }),
      invalid('tags.json', 1, 'The file must be a list with one row per line'),
    ],
    [
      'an unknown status',
      (archive) => withRow(archive, 'contracts', (row) => ({ ...row, status: 'frozen' }), 2),
      invalid('contracts.json', 3, 'status: Status must be pending, active, expired, or cancelled'),
    ],
    [
      'a missing customer',
      (archive) => withRow(archive, 'contracts', (row) => ({ ...row, customerId: 999_999 })),
      invalid('contracts.json', 1, 'There is no customer with the ID 999999'),
    ],
    [
      'two customers with the same ID',
      (archive) => withRow(archive, 'customers', (row, [first]) => ({ ...row, id: first?.['id'] }), 1),
      invalid('customers.json', 2, 'There is another customer with the ID 1'),
    ],
    [
      'two customers with the same number',
      (archive) => withRow(archive, 'customers', (row) => ({ ...row, customerNumber: 'c-1' }), 1),
      invalid('customers.json', 2, 'It repeats an earlier row'),
    ],
    [
      'a contract whose customer is in the trash',
      (archive) => withRow(archive, 'contracts', (row) => ({ ...row, deletedAt: null }), 9),
      invalid('contracts.json', 10, 'Its customer is in the trash'),
    ],
    [
      'a tag that the list of tags lacks',
      (archive) => withRow(archive, 'customers', (row) => ({ ...row, tags: ['Other'] })),
      invalid('customers.json', 1, 'There is no tag "Other"'),
    ],
    [
      'a term after the current one',
      (archive) => withRow(archive, 'contract-terms', (row) => ({ ...row, number: 2 })),
      invalid('contract-terms.json', 1, 'It is not before the current term'),
    ],
    [
      'an amount of fractions',
      (archive) => withRow(archive, 'contracts', (row) => ({ ...row, amount: 1.005 })),
      invalid('contracts.json', 1, 'amount: Amount must have at most two decimals'),
    ],
    [
      'characters that cannot be stored',
      (archive) => withRow(archive, 'notes', (row) => ({ ...row, text: 'a\0b' })),
      invalid('notes.json', 1, 'It has characters that cannot be stored'),
    ],
    [
      'a company name that looks like ours',
      (archive) => withRow(archive, 'company', (row) => ({ ...row, name: 'TRAXX' })),
      invalid('company.json', 1, 'name: Must be the name of your own company, not one that looks like TRAXX'),
    ],
    ...(
      [
        ['a time in words', { remindersSince: 'January 5, 2026' }, 'remindersSince: Must be a time in UTC'],
        ['a later term without a start', { termNumber: 2, termStart: null }, 'The term has no start'],
        ['a first term with a start', { termNumber: 1, termStart: '2026-01-31' }, 'The term has no start'],
        [
          'a term without days',
          { termNumber: 2, termStart: '2026-03-31', renewalDate: '2026-03-31' },
          'The term has no days',
        ],
        ['a renewal before the start', { renewalDate: '2026-01-30' }, 'The renewal date is before the start date'],
        ['a customer whose ID is none', { customerId: -5 }, 'customerId: Too small: expected number to be >=0'],
      ] as const
    ).map(([what, columns, problem]): [string, (archive: Buffer) => Buffer, string] => [
      `a decision with ${what}`,
      (archive) =>
        withRow(archive, 'contract-decisions', (row) => ({ ...row, before: changed(row['before'], columns) })),
      invalid('contract-decisions.json', 1, problem.includes(':') ? `before.${problem}` : `before: ${problem}`),
    ]),
    [
      'a decision that changes the start date',
      (archive) =>
        withRow(archive, 'contract-decisions', (row) => ({
          ...row,
          before: changed(row['before'], { startDate: '2026-01-30' }),
        })),
      invalid('contract-decisions.json', 1, 'No decision changes the start date'),
    ],
    ...['person:1', 'person:abc', 'person', 'key:abc', 'import:7', 'customer:0', 'person:0', 'Jane Doe', 'job:a:b'].map(
      (actor): [string, (archive: Buffer) => Buffer, string] => [
        `an actor like ${actor}`,
        (archive) => withRow(archive, 'activity', (row) => ({ ...row, actor })),
        invalid('activity.json', 1, 'actor: Must name who it was'),
      ],
    ),
    ...[
      '2026-02-30T09:00:00Z',
      '2026-13-01T09:00:00Z',
      '0000-01-01T09:00:00Z',
      '2026-03-10T25:00:00Z',
      '2026-03-10T09:00:00+02:00',
      '2026-03-10',
    ].map((at): [string, (archive: Buffer) => Buffer, string] => [
      `a time like ${at}`,
      (archive) => withRow(archive, 'activity', (row) => ({ ...row, at })),
      invalid('activity.json', 1, 'at: Must be a time in UTC'),
    ]),
  ])('%s', async (_what, change, message) => {
    const archive = change(await aFullArchive())
    await expect(readAll(archive)).rejects.toMatchObject({ key: 'ARCHIVE_ROW_INVALID', message })
  })

  test('by the server, which has written nothing', async () => {
    const archive = withRow(await aFullArchive(), 'contracts', (row) => ({ ...row, status: 'frozen' }), 2)
    expect(await refusalOf(archive)).toEqual({
      status: 422,
      error: invalid('contracts.json', 3, 'status: Status must be pending, active, expired, or cancelled'),
      refusal: 'ARCHIVE_ROW_INVALID',
    })
  })

  test('what only the database can tell is refused as a whole', async () => {
    const archive = await aFullArchive()
    const rows = rowsIn(archive, 'reminders')
    const twice = [...rows, { ...rows[0], id: 77_777 }]
    const repeated = changedArchive(archive, { 'reminders.json': fileOf(twice) })
    expect(await refusalOf(repeated)).toMatchObject({ status: 422, refusal: 'ARCHIVE_CONTRADICTS_ITSELF' })
  })
})

describe('a PDF', () => {
  const aPdfIn = (archive: Buffer) =>
    `pdfs/contract-${Number(rowsIn(archive, 'contracts').find(({ pdfPath }) => pdfPath !== null)?.['id'])}.pdf`

  test('that is none, and one of no contract, are named', async () => {
    const archive = await aFullArchive()
    const name = aPdfIn(archive)
    const fake = changedArchive(archive, { [name]: 'x'.repeat(2000) })
    expect(await refusalOf(fake)).toMatchObject({
      status: 422,
      error: `${name} in this archive cannot be imported: Please select a PDF file`,
    })
    const another = changedArchive(archive, { 'pdfs/contract-99999.pdf': 'x' })
    expect(await refusalOf(another)).toMatchObject({
      error: 'pdfs/contract-99999.pdf in this archive cannot be imported: It belongs to no contract',
    })
    const picture = changedArchive(archive, { 'logo.png': 'no picture' })
    expect(await refusalOf(picture)).toMatchObject({ status: 422, refusal: 'ARCHIVE_FILE_INVALID' })
  })

  test('that the archive lacks is left out, and that is said', async () => {
    const archive = await aFullArchive()
    const name = aPdfIn(archive)
    const lacking = changedArchive(archive, { [name]: undefined })
    const { body } = await importArchive(server, await anAccount(world, { services: { files } }), lacking)
    expect(body).toMatchObject({ counts: { pdfs: 1 }, leftOut: { missingPdfs: 1 } })
  })
})

describe('an archive that would take too much', () => {
  test('is refused by what its directory says, and where that is not so', async () => {
    const archive = changedArchive(await aFullArchive(), {})
    expect(await refusalOf(withSize(archive, 'contracts.json', 3 * 1024 ** 3))).toMatchObject({
      status: 413,
      error: 'This archive is too large. It can have up to 2,000,000 rows, and its data files up to 2 GB unpacked',
    })
    const bomb = changedArchive(archive, { 'notes.json': ' '.repeat(50_000_000) })
    expect(await refusalOf(withSize(bomb, 'notes.json', 1000))).toMatchObject({
      status: 422,
      error: 'notes.json in this archive is damaged. Export the account again',
    })
  })

  test.each([0, 40])('is refused if one of its files begins %d bytes into another one', async (later) => {
    const archive = withOverlap(changedArchive(await aFullArchive(), {}), 'tags.json', 'contracts.json', later)
    expect(await refusalOf(archive)).toMatchObject({ status: 422, refusal: 'ARCHIVE_UNREADABLE' })
  })

  test('is refused for its rows, or a row that is too long', async () => {
    const archive = await aFullArchive()
    await expect(readAll(archive, { mostRows: 20 })).rejects.toMatchObject({ key: 'ARCHIVE_TOO_LARGE' })
    const long = withRow(archive, 'notes', (row) => ({ ...row, text: 'x'.repeat(1_000_001) }))
    await expect(readAll(long)).rejects.toThrow('It is too long')
    const deep = changedArchive(archive, { 'notes.json': `[\n${'['.repeat(900_000)}\n]\n` })
    expect(await refusalOf(deep)).toMatchObject({ status: 422, refusal: 'ARCHIVE_ROW_INVALID' })
  })

  test('does not take the server with it: its reader dies alone', async () => {
    const archive = await aFullArchive()
    await using stored = await saveUpload(Readable.from([archive]), { content: 'upload', mostBytes: archive.length })
    const requester = { accountId: 1, signal: new AbortController().signal }
    const program = ['-e', 'for (;;);']
    await expect(openArchive(stored.stored, requester, { seconds: 1, program })).rejects.toMatchObject({
      key: 'ARCHIVE_TOO_LARGE',
    })
    await using read = await openArchive(stored.stored, requester)
    expect(read.summary).toMatchObject({ customers: 3, contracts: 9 })
  })
})

describe('a failure in the middle leaves nothing', () => {
  const imported = (request: RequestContext, archive: Buffer) =>
    importDirectly(request, {
      bytes: Readable.from([archive]),
      answers: { preview: false, reminders: 'on' },
      signal: new AbortController().signal,
    })
  const stored = async (store: FileStore) =>
    keysIn(store, ...['contracts', 'incoming', 'logos'].map((folder) => `${folder}/${installation}`))
  let installation = ''

  test('of the storage', async () => {
    installation = await readInstallation(world.db.system)
    const archive = await aFullArchive()
    const own = memoryFiles()
    let writes = 0
    const write: FileStore['write'] = async (key, bytes) => {
      writes += 1
      if (writes === 3) throw new Error('the disk is full')
      await own.write(key, bytes)
    }
    const fresh = await anAccount(world, { services: { files: { ...own, write } } })
    await expect(imported(fresh, archive)).rejects.toMatchObject({ key: 'LOGO_UPLOAD_FAILED' })
    expect(await stored(own)).toEqual([])
    expect(rowsIn(await archiveOf(server, fresh), 'customers')).toEqual([])
  })

  /** Imports an archive in a transaction that ends with this, once all rows are written. */
  async function endingWith(end: (write: Write) => Promise<unknown>) {
    installation = await readInstallation(world.db.system)
    const archive = await aFullArchive()
    const own = memoryFiles()
    const fresh = await anAccount(world, { services: { files: own } })
    const writeAs: RequestContext['db']['writeAs'] = (accountId, work) =>
      world.db.writeAs(accountId, async (em, write) => {
        const result = await work(em, write)
        await end(write)
        return result
      })
    return { archive, fresh, own, importing: imported({ ...fresh, db: { ...fresh.db, writeAs } }, archive) }
  }

  test('of a value that the database cannot store, which is the fault of the archive', async () => {
    const { fresh, own, importing } = await endingWith((write) => write(sql`select ${9_999_999_999}::int8::int4`))
    await expect(importing).rejects.toMatchObject({ key: 'ARCHIVE_CONTRADICTS_ITSELF', code: 'UNPROCESSABLE_CONTENT' })
    expect(await stored(own)).toEqual([])
    expect(rowsIn(await archiveOf(server, fresh), 'customers')).toEqual([])
  })

  test('of the database', async () => {
    const { archive, fresh, own, importing } = await endingWith(() =>
      Promise.reject(new Error('the connection is lost')),
    )
    await expect(importing).rejects.toThrow('the connection is lost')
    expect(rowsIn(await archiveOf(server, fresh), 'customers')).toEqual([])
    // Nobody knows whether the commit succeeded, so the files are left to the sweep.
    expect(await stored(own)).toHaveLength(3)
    expect(await importArchive(server, fresh, archive)).toMatchObject({ status: 200 })
    expect(requireReader(fresh).accountId).toBe(fresh.caller?.id)
  })
})
