import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'

/** Who did something, for people to read. */
export interface ActorView {
  /** `traxx` is everything that happens by itself. */
  kind: 'person' | 'key' | 'import' | 'customer' | 'operator' | 'traxx'
  /** The person's name or address, or what the key, the file or the customer is called; null if it is not known any more. */
  name: string | null
}

export const ActorFields = { actor: z.string().nullable(), actorName: z.string().nullable() }

/** The columns of `ActorFields`, for the actor of a row of this account. */
export function actorColumns(accountId: number, actor: Sql): Sql {
  return sql`${actor} as actor, coalesce(${nameOf(accountId, actor)},
    substring(${actor} from '^[a-z]+:0:(.+)$')) as "actorName"`
}

/**
 * An actor as archives have it: with the name in place of the ID, which would be somebody else's in another account.
 * 'person:0:Jane Doe' is what an account that has imported an archive stores.
 */
export function namedActor(accountId: number, actor: Sql): Sql {
  return sql`case when ${actor} ~ '^[a-z]+:[1-9]'
    then split_part(${actor}, ':', 1) || ':0:' || coalesce(${nameOf(accountId, actor)}, '') else ${actor} end`
}

function nameOf(accountId: number, actor: Sql): Sql {
  const id = sql`split_part(${actor}, ':', 2)::int`
  return sql`case split_part(${actor}, ':', 1)
    when 'person' then (select coalesce(nullif(name, ''), email) from accounts where id = ${accountId} and id = ${id})
    when 'key' then (select name from api_keys where account_id = ${accountId} and id = ${id})
    when 'import' then (select file_name from imports where account_id = ${accountId} and id = ${id})
    when 'customer' then (select name from customers where account_id = ${accountId} and id = ${id})
  end`
}

/** Whether an archive has brought this actor. */
export function isFromArchive(actor: string): boolean {
  return /^[a-z]+:0:/.test(actor)
}

export function actorView({ actor, actorName }: { actor: string | null; actorName: string | null }): ActorView | null {
  if (actor === null) return null
  const [kind = ''] = actor.split(':')
  return { kind: isNamed(kind) ? kind : 'traxx', name: actorName }
}

function isNamed(kind: string): kind is Exclude<ActorView['kind'], 'traxx'> {
  return ['person', 'key', 'import', 'customer', 'operator'].includes(kind)
}
