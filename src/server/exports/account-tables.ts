import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ReaderContext } from '#server/context.ts'
import { columnsOf } from '#server/db/columns.ts'
import { AccountEntity } from '#server/identity/account.entity.ts'
import { byId, type ExportTable } from './tables.ts'

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
