import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { ApiKeyEntity } from '#server/identity/api-key.entity.ts'
import { BATCH, byId, type ExportTable } from './tables.ts'

const ACCOUNT = columnsOf(AccountEntity, 'a', ['id', 'email', 'timeZone', 'createdAt'])
const ExportedAccount = z.object(ACCOUNT.fields)

/** The account itself: a table of one row. */
export function accountTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof ExportedAccount>> {
  return {
    headings: ['Email', 'Time Zone', 'Date'],
    cells: ({ email, timeZone, createdAt }) => [email, timeZone, createdAt],
    batches: () =>
      byId((after) =>
        read(sql`select ${ACCOUNT} from accounts a where a.id = ${accountId} and a.id > ${after}`, ExportedAccount),
      ),
  }
}

const API_KEY = columnsOf(ApiKeyEntity, 'k', [
  'id',
  'name',
  'scope',
  'createdAt',
  'expiresOn',
  'lastUsedAt',
  'lastUsedAddress',
  'revokedAt',
])
const ExportedApiKey = z.object(API_KEY.fields)

/** What the API keys are called; of a key itself there is nothing but a hash, which stays where it is. */
export function apiKeysTable({ read, accountId }: ReaderContext): ExportTable<z.output<typeof ExportedApiKey>> {
  return {
    headings: ['ID', 'Name', 'Scope', 'Date', 'Last Day', 'Last Used', 'Last Address', 'Revoked'],
    cells: ({ id, name, scope, createdAt, expiresOn, lastUsedAt, lastUsedAddress, revokedAt }) => [
      id,
      name,
      scope,
      createdAt,
      expiresOn,
      lastUsedAt,
      lastUsedAddress,
      revokedAt,
    ],
    batches: () =>
      byId((after) =>
        read(
          sql`select ${API_KEY} from api_keys k
            where k.account_id = ${accountId} and k.id > ${after} order by k.id limit ${BATCH}`,
          ExportedApiKey,
        ),
      ),
  }
}
