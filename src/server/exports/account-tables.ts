import sql from 'sql-template-tag'
import type { ReaderContext } from '#server/context.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

interface ExportedAccount {
  id: number
  email: string
  timeZone: string | null
  createdAt: string
}

/** The account itself: a table of one row. */
export function accountTable({ read, accountId }: ReaderContext): ExportTable<ExportedAccount> {
  return {
    headings: ['Email', 'Time Zone', 'Date'],
    cells: ({ email, timeZone, createdAt }) => [email, timeZone, new Date(createdAt)],
    batches: () =>
      byId((after) =>
        read<ExportedAccount>(sql`
          select id, email, time_zone as "timeZone", created_at as "createdAt" from accounts
          where id = ${accountId} and id > ${after}`),
      ),
  }
}

interface ExportedApiKey {
  id: number
  name: string
  scope: string
  createdAt: string
  expiresOn: string | null
  lastUsedAt: string | null
  lastUsedAddress: string | null
  revokedAt: string | null
}

/** What the API keys are called; of a key itself there is nothing but a hash, which stays where it is. */
export function apiKeysTable({ read, accountId }: ReaderContext): ExportTable<ExportedApiKey> {
  return {
    headings: ['ID', 'Name', 'Scope', 'Date', 'Last Day', 'Last Used', 'Last Address', 'Revoked'],
    cells: ({ id, name, scope, createdAt, expiresOn, lastUsedAt, lastUsedAddress, revokedAt }) => [
      id,
      name,
      scope,
      new Date(createdAt),
      expiresOn,
      instant(lastUsedAt),
      lastUsedAddress,
      instant(revokedAt),
    ],
    batches: () =>
      byId((after) =>
        read<ExportedApiKey>(sql`
          select id, name, scope, created_at as "createdAt", expires_on::text as "expiresOn",
            last_used_at as "lastUsedAt", last_used_address as "lastUsedAddress", revoked_at as "revokedAt"
          from api_keys where account_id = ${accountId} and id > ${after} order by id limit ${BATCH}`),
      ),
  }
}

function instant(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
