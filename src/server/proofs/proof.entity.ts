import { defineEntity, p } from '@mikro-orm/core'
import { systemPolicy, tenantPolicy } from '#server/db/tenant-policies.ts'

/** The links of an account's chain: hashes and signatures, and of which row of the ledger or which answer. Rows are only ever added. */
export const ProofEntity = defineEntity({
  name: 'Proof',
  tableName: 'proofs',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** Its place in the account's chain, from 1. */
    number: p.integer().primary(),
    /** Null: it is about an answer. */
    reminderId: p.bigint('number').nullable(),
    answerId: p.integer().nullable(),
    previousHash: p.text(),
    recordHash: p.text(),
    hash: p.text(),
    signature: p.text(),
    /** Which of the operator's keys has signed it. */
    keyId: p.text(),
  },
})

/** What each link proves, as the canonical JSON that was hashed. */
export const ProofRecordEntity = defineEntity({
  name: 'ProofRecord',
  tableName: 'proof_records',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy()],
  properties: {
    accountId: p.integer().primary(),
    number: p.integer().primary(),
    record: p.text(),
  },
})

/** When the head of an account's chain is mailed next. Every account with a proof has a row. */
export const ProofHeadEntity = defineEntity({
  name: 'ProofHead',
  tableName: 'proof_heads',
  rowLevelSecurity: 'force',
  policies: [tenantPolicy(), systemPolicy()],
  properties: {
    accountId: p.integer().primary(),
    /** Whether the owner wants it mailed. */
    weekly: p.boolean().default(true),
    /** The last one that was mailed; 0 before the first. */
    mailedNumber: p.integer().default(0),
    nextMailAt: p.datetime(),
  },
})
