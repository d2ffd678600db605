import { ArrayType, BlobType, EntitySchema, JsonType } from '@mikro-orm/core'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { anAccount, requireReader, useWorld } from '#support/world.ts'
import { columnNames, rowOf, rowsOf } from './insert.ts'

const world = useWorld()
/** Columns of these types are written one row at a time. */
const ONE_BY_ONE = [ArrayType, BlobType, JsonType]

test('a row is inserted under the names of its table', () => {
  const { text, values } = rowOf(CustomerEntity, { accountId: 1, customerNumber: null, name: 'Acme' })
  expect(text).toBe('(account_id, customer_number, name) values ($1,$2,$3)')
  expect(values).toEqual([1, null, 'Acme'])
})

test('what is undefined is left to the default of its column', () => {
  expect(rowOf(CustomerEntity, { accountId: 1, name: 'Acme', email: undefined }).text).toBe(
    '(account_id, name) values ($1,$2)',
  )
})

test('a column that the entity does not have is a fault', () => {
  expect(() => columnNames(CustomerEntity, { nickname: '' })).toThrow('Customer has no nickname')
  expect(() => rowsOf(CustomerEntity, JSON.parse('{"nickname": []}'))).toThrow('has no nickname')
})

test('rows of every entity are a table, column by column, as PostgreSQL types them', async () => {
  const { read } = requireReader(await anAccount(world))
  const entities = world.db.orm.config.get('entities').filter((entity) => entity instanceof EntitySchema)
  expect(entities.length).toBeGreaterThan(15)
  for (const entity of entities) {
    const names = Object.entries<{ type?: unknown }>(entity.meta.properties)
      .filter(([, { type }]) => !ONE_BY_ONE.some((kind) => type === kind || type instanceof kind))
      .map(([name]) => name)
    const columns = Object.fromEntries(names.map((name) => [name, []]))
    const stored = columnNames(entity, columns)
    await read(sql`
      select ${stored} from ${raw(entity.meta.tableName)} where false
      union all select ${stored} from ${rowsOf(entity, columns)}`)
  }
  await expect(read(sql`select * from ${rowsOf(CustomerEntity, { name: ['A', 'B'] })}`)).resolves.toEqual([
    { name: 'A', position: '1' },
    { name: 'B', position: '2' },
  ])
})
