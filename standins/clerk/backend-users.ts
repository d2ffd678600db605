import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import { inTransaction, type Db } from './database.ts'
import { ClerkError } from './errors.ts'
import { EmailAddress, Flag, Id, Name, parse, parseId, Password, TypedPassword } from './input.ts'
import { hashPassword } from './passwords.ts'
import { backendUserJson } from './resources.ts'
import { closeSessions } from './session-store.ts'
import { countUsers, deleteUser, findUser, insertUser, listUsers, updateUser } from './user-store.ts'

export function backendUsers(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/v1/users', ({ query }) => inTransaction(pool, (db) => list(db, query)))
  app.get('/v1/users/count', ({ query }) => inTransaction(pool, (db) => count(db, query)))
  app.get('/v1/users/:id', ({ params }) => inTransaction(pool, (db) => read(db, params)))
  app.post('/v1/users', ({ body }) => inTransaction(pool, (db) => create(db, body)))
  app.patch('/v1/users/:id', ({ params, body }) => inTransaction(pool, (db) => update(db, params, body)))
  app.delete('/v1/users/:id', ({ params }) => inTransaction(pool, (db) => remove(db, params)))
}

/** One value of a query, or several. */
function several<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item).max(100).optional())
}

// Strict, so that a filter which is not built refuses instead of finding everybody.
const Filter = z.strictObject({ email_address: several(EmailAddress), user_id: several(Id) })
const List = Filter.extend({
  limit: z.coerce.number().int().min(1).max(500).default(10),
  offset: z.coerce.number().int().min(0).default(0),
  order_by: z.enum(['created_at', '+created_at', '-created_at']).default('-created_at'),
})

async function list(db: Db, query: unknown) {
  const { limit, offset, order_by, ...filter } = parse(List, query)
  const direction = raw(order_by.startsWith('-') ? 'desc' : 'asc')
  const page = sql`order by created_at ${direction}, id limit ${limit} offset ${offset}`
  return (await listUsers(db, filter, page)).map(backendUserJson)
}

async function count(db: Db, query: unknown) {
  return { object: 'total_count', total_count: await countUsers(db, parse(Filter, query)) }
}

async function read(db: Db, params: unknown) {
  const user = await findUser(db, parseId(params))
  if (!user) throw new ClerkError('resource_not_found')
  return backendUserJson(user)
}

const Skips = { skip_password_checks: z.boolean().optional(), skip_password_requirement: z.boolean().optional() }
const NewUser = z.strictObject({
  email_address: z.tuple([EmailAddress], 'form_param_nil'),
  password: TypedPassword.optional(),
  first_name: Name.nullish(),
  last_name: Name.nullish(),
  ...Skips,
})

async function create(db: Db, body: unknown) {
  const { email_address, password, first_name = null, last_name = null, ...skips } = parse(NewUser, body)
  if (password === undefined && !skips.skip_password_requirement) throw new ClerkError('form_param_nil', 'password')
  const user = await insertUser(db, {
    email_address: email_address[0],
    password_hash: await hashOf(password, skips),
    first_name,
    last_name,
  })
  if (!user) throw new ClerkError('form_identifier_exists', 'email_address')
  return backendUserJson(user)
}

const UserChanges = z.strictObject({
  password: TypedPassword.optional(),
  first_name: Name.nullish(),
  last_name: Name.nullish(),
  sign_out_of_other_sessions: Flag.default(false),
  ...Skips,
})

async function update(db: Db, params: unknown, body: unknown) {
  const id = parseId(params)
  const { password, first_name, last_name, sign_out_of_other_sessions, ...skips } = parse(UserChanges, body)
  if (!(await findUser(db, id))) throw new ClerkError('resource_not_found')
  const password_hash = await hashOf(password, skips)
  const user = await updateUser(db, id, { password_hash, first_name, last_name })
  if (sign_out_of_other_sessions) await closeSessions(db, 'revoked', sql`user_id = ${id}`)
  return backendUserJson(user)
}

async function remove(db: Db, params: unknown) {
  const id = parseId(params)
  if (!(await deleteUser(db, id))) throw new ClerkError('resource_not_found')
  return { object: 'user', id, deleted: true }
}

async function hashOf(password: string | undefined, { skip_password_checks = false }) {
  if (password === undefined) return null
  return hashPassword(skip_password_checks ? password : parse(z.object({ password: Password }), { password }).password)
}
