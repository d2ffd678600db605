import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { verdictWords } from '#shared/certificates/verdict-words.ts'
import { verifyCertificate } from '#shared/certificates/verify-certificate.ts'
import type { Certificate } from '#shared/certificates/certificate.ts'
import { isOfLetter } from '#shared/certificates/kind-names.ts'
import { withoutInvisible } from '#shared/domain/plain-text.ts'
import { subjectName, subjectText, type ProofHead } from '#shared/domain/proof-chain.ts'
import { verifyLinks, type ChainVerdict } from '#shared/domain/proof-links.ts'
import { readProofKey, type ProofKey } from '#shared/domain/proof-key.ts'
import { readEnv } from '#server/env.ts'
import { localSigningKey, openSigner } from '#server/security/signing-key.ts'
import { StartError } from '#server/start-error.ts'
import { reasonOf, type Outcome, type Variables } from './account-database.ts'

const USAGE = 'npm run verify -- certificate.pdf [--key public.pem]... [--chain proofs.json] [--head NUMBER:HASH]...'

/**
 * `npm run verify -- certificate.pdf` says whether a certificate is genuine, changed (and what), or unknown. `--key` is a public
 * key, by default that of this installation. `--chain` is `proofs.json` of the account's export, of which the certificate then
 * has to be a part, with all that the chain has about its message or answer; `--head` is a head that was saved before, to which the chain has to lead; without `--chain`, it has to be that of
 * a record of the certificate. The exit
 * code is 0 if it is genuine, 1 if it was changed or lacks a record, and 2 if it is unknown.
 */
export async function verify(args: string[], variables?: Variables): Promise<Outcome> {
  try {
    const asked = readArgs(args)
    const keys = await keysOf(asked.key, variables)
    const found = await verifyCertificate(await readFile(asked.file), keys)
    const { title, text } = verdictWords(found)
    if (found.verdict !== 'genuine') return saying(found.verdict, `${title}. ${text}`)
    const against = await againstChain(found.certificate, keys, asked)
    if (against) return saying('changed', against)
    return saying('genuine', `${title}. ${text}\n${summaryOf(found.certificate)}`)
  } catch (error) {
    return { status: 2, stdout: '', stderr: `Nothing was verified: ${withoutInvisible(reasonOf(error))}\n` }
  }
}

const STATUS = { genuine: 0, changed: 1, unknown: 2 }

function saying(verdict: keyof typeof STATUS, text: string): Outcome {
  return { status: STATUS[verdict], stdout: `${text}\n`, stderr: '' }
}

function readArgs(args: string[]) {
  const options = {
    key: { type: 'string', multiple: true },
    chain: { type: 'string' },
    head: { type: 'string', multiple: true },
  } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file, ...others] = positionals
  if (!file || others.length > 0) throw new StartError(`use it as in: ${USAGE}`)
  const { key = [], chain, head = [] } = values
  return { file, key, chain, heads: head.map(headOf) }
}

function headOf(text: string): ProofHead {
  const [, number, hash] = /^([1-9]\d{0,9}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!hash) throw new StartError(`${text} is not a head, such as 12:3fa9…`)
  return { number: Number(number), hash }
}

async function keysOf(files: readonly string[], variables: Variables): Promise<ProofKey[]> {
  if (files.length === 0) return [await keyOf('The key of this installation', await ownKey(variables))]
  return Promise.all(files.map(async (file) => keyOf(file, await readFile(file, 'utf8'))))
}

async function ownKey(variables: Variables): Promise<string> {
  const { PROOF_SIGNING_KEY, DATA_DIR } = readEnv(variables)
  return openSigner(PROOF_SIGNING_KEY ?? (await localSigningKey(resolve(DATA_DIR)))).publicPem
}

async function keyOf(name: string, pem: string): Promise<ProofKey> {
  const key = await readProofKey(pem)
  if (!key) throw new StartError(`${name} is no public Ed25519 key in PEM`)
  return key
}

interface Against {
  chain: string | undefined
  heads: readonly ProofHead[]
}

/** What does not fit; undefined if all does. */
async function againstChain({ proved }: Certificate, keys: ProofKey[], { chain, heads }: Against) {
  const links = chain === undefined ? [] : Links.parse(JSON.parse(await readFile(chain, 'utf8')))
  if (chain !== undefined) {
    const found = await verifyLinks({ account: proved[0]?.record.account ?? 0, links, keys, heads, hash: sha256 })
    if (found.verdict === 'changed') return `Changed. ${chainFault(found)}`
    const missing = proved.find(({ link }) => links[link.number - 1]?.hash !== link.hash)
    if (missing) return `Changed. Record ${missing.link.number} is not in the chain.`
    const [first] = proved
    const of = first && subjectText(first.record)
    const omitted = links.find(
      (link) => aboutText(link) === of && !proved.some((one) => one.link.number === link.number),
    )
    return (
      omitted &&
      `Incomplete. The chain has record ${omitted.number} about the same ${first && subjectName(first.record)}, which was left out or came later.`
    )
  }
  const unmet = heads.find(({ number }) => !proved.some(({ link }) => link.number === number))
  if (unmet) throw new StartError(`the head of record ${unmet.number} can only be compared with --chain`)
  const other = heads.find(({ number, hash }) =>
    proved.some(({ link }) => link.number === number && link.hash !== hash),
  )
  return other && `Changed. Record ${other.number} is not the one that the head is of.`
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}

function chainFault({ number, fault }: ChainVerdict & { verdict: 'changed' }): string {
  if (fault === 'head')
    return `The chain does not lead to the head of record ${number}: it was made anew since, or cut short.`
  if (fault === 'missing') return `The chain lacks record ${number}, or it is not in its place.`
  return `The chain is not as it was signed at record ${number}: its ${fault} does not fit.`
}

function aboutText({ reminderId, answerId }: z.output<typeof Links>[number]): string | undefined {
  if (answerId) return subjectText({ answer: answerId })
  return reminderId ? subjectText({ reminder: reminderId }) : undefined
}

const Links = z.array(
  z.object({
    number: z.int(),
    reminderId: z.int().nullish(),
    answerId: z.int().nullish(),
    previousHash: z.string(),
    recordHash: z.string(),
    hash: z.string(),
    signature: z.string(),
    keyId: z.string(),
  }),
)

const CAN_BE_WITHDRAWN =
  'The sender can withdraw the mark of a letter later. The chain of the sender’s export shows that: compare it with --chain.'

function summaryOf({ proved }: Certificate): string {
  const lines = proved.map(({ record, link }) => `${record.at}  ${record.kind}  record ${record.number}  ${link.hash}`)
  if (proved.some(({ record }) => isOfLetter(record.kind))) lines.push(CAN_BE_WITHDRAWN)
  return lines.join('\n')
}
