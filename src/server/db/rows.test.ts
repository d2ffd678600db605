import { EntitySchema } from '@mikro-orm/core'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { ZodError, z } from 'zod'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { ImportEntity, ImportFailureEntity } from '#server/imports/import.entity.ts'
import { ReminderPreferencesEntity } from '#server/reminders/reminder-preferences.entity.ts'
import { aContract, aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'
import { columnsOf, instant, type Columns } from './columns.ts'
import { readRows } from './rows.ts'

const world = useWorld()

async function aReader() {
  const request = await anAccount(world)
  const customer = await aCustomer(request)
  await aContract(request, { customerId: customer.id, startDate: '2026-01-31' })
  return requireReader(request)
}

test('columns are read as their entity describes them', async () => {
  const { read } = await aReader()
  const columns = columnsOf(ContractEntity, 'k', ['amountCents', 'startDate', 'createdAt', 'pdfPath'])
  const [row] = await read(sql`select ${columns} from contracts k`, z.object(columns.fields))
  expect(row).toEqual({
    amountCents: expect.any(Number),
    startDate: '2026-01-31',
    createdAt: expect.any(Date),
    pdfPath: null,
  })
})

test('every column of every entity has a field, and its name in the table', async () => {
  const { read } = await aReader()
  const entities = world.db.orm.config.get('entities').filter((entity) => entity instanceof EntitySchema)
  expect(entities.length).toBeGreaterThan(15)
  for (const entity of entities) {
    const names = Object.keys(entity.meta.properties)
    const columns: Columns<object> = columnsOf(entity, 't', names)
    expect(Object.keys(columns.fields)).toEqual(names)
    await read(sql`select ${columns} from ${raw(entity.meta.tableName)} t where false`)
  }
})

describe('what an array or a JSON column holds is checked', () => {
  const headings = columnsOf(ImportEntity, 't', ['headings'])
  const failure = columnsOf(ImportFailureEntity, 't', ['problems', 'cells'])
  const days = columnsOf(ReminderPreferencesEntity, 't', ['reminderDays'])

  test('and read as the entity describes it', async () => {
    const { read } = await aReader()
    const statement = sql`select ${headings}, ${failure}, ${days} from (select '["Name"]'::jsonb as headings,
      '[{"column": "Name", "reason": "is empty"}]'::jsonb as problems, '["a", 1, true]'::jsonb as cells,
      array[1, 7] as reminder_days) t`
    const Row = z.object({ ...headings.fields, ...failure.fields, ...days.fields })
    expect(await read(statement, Row)).toEqual([
      {
        headings: ['Name'],
        problems: [{ column: 'Name', reason: 'is empty' }],
        cells: ['a', 1, true],
        reminderDays: [1, 7],
      },
    ])
  })

  test.each([
    ['headings[1]', headings, sql`'["Name", 2]'::jsonb as headings`],
    ['problems[0].reason', failure, sql`'[{"column": "Name"}]'::jsonb as problems, '[]'::jsonb as cells`],
    ['cells[0]', failure, sql`'[]'::jsonb as problems, '[null]'::jsonb as cells`],
    ['cells', failure, sql`'[]'::jsonb as problems, '"a"'::jsonb as cells`],
    ['reminderDays[0]', days, sql`array['1'] as reminder_days`],
    ['reminderDays[1]', days, sql`array[1, null] as reminder_days`],
  ])('and %s is a fault where it is something else', async (path, columns: Columns<object>, values) => {
    const { read } = await aReader()
    const reading = read(sql`select ${columns} from (select ${values}) t`, z.object(columns.fields))
    await expect(reading).rejects.toThrow(`at ${path}`)
  })
})

test.each([
  ['a column that is missing', sql`select 1 as other`],
  ['a value of another type', sql`select '1' as count`],
  ['a value that is null', sql`select null::int as count`],
])('a statement that answers %s is a fault, and nobody is told that their input is wrong', async (_what, statement) => {
  const { read, accountId, db } = await aReader()
  const CountRow = z.object({ count: z.int() })
  const answers = await Promise.allSettled([
    read(statement, CountRow),
    db.writeAs(accountId, (_em, write) => write(statement, CountRow)),
    db.writeTogether((write) => write([{ accountId, statement }], CountRow)),
    readRows(db.system, statement, CountRow),
  ])
  const reasons = answers.map((answer) => answer.status === 'rejected' && answer.reason)
  expect(reasons.map(String)).toEqual(Array.from({ length: 4 }, () => expect.stringContaining('at count')))
  expect(reasons.some((reason) => reason instanceof ZodError)).toBe(false)
})

test('an instant is the same whichever way it came', async () => {
  const { read, accountId, db } = await aReader()
  const statement = sql`select timestamptz '2026-03-01 12:00:00.25+01' as at,
    json_build_object('at', timestamptz '2026-03-01 12:00:00.25+01') as inside`
  const Row = z.object({ at: instant, inside: z.object({ at: instant }) })
  const at = new Date('2026-03-01T11:00:00.250Z')
  const expected = [{ at, inside: { at } }]
  expect(await read(statement, Row)).toEqual(expected)
  expect(await db.writeAs(accountId, (_em, write) => write(statement, Row))).toEqual(expected)
  expect(await readRows(db.system, statement, Row)).toEqual(expected)
})
