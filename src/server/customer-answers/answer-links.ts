import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Offer } from '#shared/domain/customer-answer.ts'
import type { Write } from '#server/db/database.ts'

/** What a link is for. The same link is in every message to this address about this offer. */
export interface LinkedOffer {
  contractId: number
  termNumber: number
  contactId: number
  /** In lower case. */
  address: string
  offer: Offer
}

const IdRow = z.object({ id: z.int(), contractId: z.int() })

/** The links for messages to one address about these contracts, by contract. They are made unless they exist. */
export async function linksFor(
  write: Write,
  accountId: number,
  { linked, now }: { linked: readonly LinkedOffer[]; now: Date },
): Promise<Map<number, number>> {
  if (linked.length === 0) return new Map()
  const statement = sql`
    insert into answer_links (account_id, contract_id, term_number, contact_id, address, offer, created_at)
    select distinct ${accountId}::int, l."contractId", l."termNumber", l."contactId", l.address, l.offer, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(linked)}::json) as l("contractId" int, "termNumber" int, "contactId" int,
      address text, offer jsonb)
    on conflict (account_id, contract_id, term_number, contact_id, address, offer) where revoked_at is null
      do update set address = excluded.address
    returning id, contract_id as "contractId"`
  const rows = await write(statement, IdRow)
  return new Map(rows.map(({ id, contractId }) => [contractId, id]))
}
