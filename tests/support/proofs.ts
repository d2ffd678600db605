import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ProofRecord } from '#shared/domain/proof-chain.ts'
import { verifyLinks } from '#shared/domain/proof-links.ts'
import { readProofKey } from '#shared/domain/proof-key.ts'
import type { RequestContext } from '#server/context.ts'

const Stored = z.object({
  number: z.int(),
  reminderId: z.int().nullable(),
  answerId: z.int().nullable(),
  previousHash: z.string(),
  recordHash: z.string(),
  hash: z.string(),
  signature: z.string(),
  keyId: z.string(),
  record: z.string().transform((text): ProofRecord => JSON.parse(text)),
})

type Of = Pick<RequestContext, 'db' | 'caller' | 'services'>

/** The account's chain, with its records. */
export function proofsOf({ db, caller }: Of): Promise<z.output<typeof Stored>[]> {
  const accountId = caller?.id ?? 0
  const statement = sql`
    select p.number, p.reminder_id::float8 as "reminderId", p.answer_id as "answerId", p.previous_hash as "previousHash", p.record_hash as "recordHash",
      p.hash, p.signature, p.key_id as "keyId", r.record
    from proofs p join proof_records r using (account_id, number) where p.account_id = ${accountId} order by p.number`
  return db.readAs(accountId)(statement, Stored)
}

/** What somebody with the operator's public key finds. */
export async function chainVerdict(of: Of) {
  const key = await readProofKey(of.services.proofSigner.publicPem)
  return verifyLinks({ account: of.caller?.id ?? 0, links: await proofsOf(of), keys: key ? [key] : [] })
}

/** The value of a fact of a part. */
export function factOf(record: ProofRecord | undefined, part: string, label: string): string | undefined {
  const { facts = [] } = record?.parts.find(({ name }) => name === part) ?? {}
  return facts.find(([one]) => one === label)?.[1]
}
