import type { Pool, PoolConfig } from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { StartError } from '#server/start-error.ts'
import { readRows } from '#server/db/rows.ts'
import { APP_ROLE, SYSTEM_ROLE } from '#server/db/tenant-policies.ts'

/** How to log in as each of the server's roles. */
export interface Logins<Config extends PoolConfig = PoolConfig> {
  app: Config
  system: Config
}

type Role = typeof APP_ROLE | typeof SYSTEM_ROLE

const Found = z.object({
  login: z.string(),
  role: z.string(),
  bypasses: z.boolean(),
  manages: z.boolean(),
  memberOf: z.string().nullable(),
  owns: z.boolean(),
  createsIn: z.string().nullable(),
})
type Found = z.output<typeof Found>

const FOUND = sql`
  select session_user as login, r.rolname as role, r.rolsuper or r.rolbypassrls as bypasses,
    l.rolsuper or l.rolbypassrls or l.rolcreaterole or l.rolcreatedb or l.rolreplication as manages,
    (select string_agg(roleid::regrole::text, ', ') from pg_auth_members where member = l.oid) as "memberOf",
    exists (select from pg_class where relowner = l.oid) or exists (select from pg_proc where proowner = l.oid)
      or exists (select from pg_namespace where nspowner = l.oid)
      or exists (select from pg_database where datdba = l.oid) as owns,
    (select string_agg(place, ', ') from (
      select 'schema ' || nspname as place from pg_namespace
        where nspname not like 'pg\\_%' and has_schema_privilege(l.oid, oid, 'create')
      union all select 'database ' || datname from pg_database
        where datname = current_database() and has_database_privilege(l.oid, oid, 'create, temporary')) creatable)
      as "createsIn"
  from pg_roles r, pg_roles l where r.rolname = current_user and l.rolname = session_user`

async function find(pool: Pool): Promise<Found | undefined> {
  const [found] = await readRows(pool, FOUND, Found)
  return found
}

/** @throws StartError if the pool's connections have another role, or one that bypasses row-level security */
export async function refuseBypass(pool: Pool, role: string): Promise<void> {
  const found = await find(pool)
  if (found?.role === role && !found.bypasses) return
  throw new StartError(`The database connection uses the role ${found?.role}, which is not bound by row-level security`)
}

const VARIABLES: Record<Role, string> = { [APP_ROLE]: 'DATABASE_URL', [SYSTEM_ROLE]: 'SYSTEM_DATABASE_URL' }

/** @throws StartError if the pool logs in as another role, or as one that owns, creates, or can become anything more */
export async function refusePrivilegedLogin(pool: Pool, role: Role): Promise<void> {
  const found = await find(pool)
  const fault = faultOf(found, role)
  if (!fault) return
  throw new StartError(
    `${VARIABLES[role]} logs in as ${found?.login}, which ${fault}. Let it log in as a ${role} that owns nothing, creates ` +
      'nothing and is a member of nothing (see the README, Deployment)',
  )
}

function faultOf(found: Found | undefined, role: Role): string | undefined {
  if (found?.login !== role || found.role !== role) return `is not ${role}`
  if (found.bypasses) return 'bypasses row-level security'
  if (found.manages) return 'may make roles or databases, or replicate'
  if (found.memberOf !== null) return `is a member of ${found.memberOf}`
  if (found.owns) return 'owns tables, functions or the database'
  if (found.createsIn === null) return undefined
  return `may create objects in ${found.createsIn} (an administrator can revoke create, and on the database temporary, from public and ${role})`
}
