import { firstHash, hashLink, signedText, type Hash, type ProofHead, type ProofLink } from './proof-chain.ts'
import type { ProofKey } from './proof-key.ts'

export interface ChainToVerify {
  account: number
  /** In the order of their numbers. */
  links: readonly ProofLink[]
  keys: readonly ProofKey[]
  /** Heads that were exported or mailed before. */
  heads?: readonly ProofHead[]
  /** By default as a browser can, which takes most of the time. */
  hash?: Hash | undefined
}

export type ChainVerdict =
  | { verdict: 'genuine'; links: number; head: ProofHead | undefined }
  /** The first fault that was found, at the link of this number. */
  | { verdict: 'changed'; number: number; fault: ChainFault }

/** `missing`: a link is not there, or not in its place. `head`: the chain is not the one that a known head is of. */
export type ChainFault = 'missing' | 'previous hash' | 'hash' | 'key' | 'signature' | 'head'

/** So many hashes are computed side by side. */
const AT_ONCE = 1000

/**
 * Checks a whole chain by its links alone: that none is missing, changed, moved or added, that it is signed, and that it
 * leads to every head that is known. A signature vouches for all links before it, so that of each key only the last one in a
 * row is checked; those in between are checked with their certificates. Links after the last known head could have been
 * removed or made anew by whoever has the key.
 */
export async function verifyLinks(chain: ChainToVerify): Promise<ChainVerdict> {
  const { links, heads = [] } = chain
  const changed = (await changedLink(chain)) ?? (await unsignedLink(chain)) ?? unmetHead(links, heads)
  if (changed) return { verdict: 'changed', ...changed }
  const last = links.at(-1)
  return { verdict: 'genuine', links: links.length, head: last && { number: last.number, hash: last.hash } }
}

interface Fault {
  number: number
  fault: ChainFault
}

async function changedLink({ account, links, hash }: ChainToVerify): Promise<Fault | undefined> {
  let previous = await firstHash(account)
  for (let from = 0; from < links.length; from += AT_ONCE) {
    const some = links.slice(from, from + AT_ONCE)
    const befores = [previous, ...some.map(({ hash }) => hash)]
    const faults = await Promise.all(
      some.map((link, index) => faultOf(link, { number: from + index + 1, before: befores[index], hash })),
    )
    const index = faults.findIndex((fault) => fault !== undefined)
    const fault = faults[index]
    if (fault) return { number: from + index + 1, fault }
    previous = befores.at(-1) ?? previous
  }
  return undefined
}

interface Expected extends Pick<ChainToVerify, 'hash'> {
  number: number
  before: string | undefined
}

async function faultOf(link: ProofLink, { number, before, hash }: Expected): Promise<ChainFault | undefined> {
  if (link.number !== number) return 'missing'
  if (link.previousHash !== before) return 'previous hash'
  return (await hashLink(link, hash)) === link.hash ? undefined : 'hash'
}

async function unsignedLink({ links, keys }: ChainToVerify): Promise<Fault | undefined> {
  const lastOfKeys = links.filter(({ keyId }, index) => links[index + 1]?.keyId !== keyId)
  for (const { number, keyId, hash, signature } of lastOfKeys) {
    const key = keys.find(({ id }) => id === keyId)
    if (!key) return { number, fault: 'key' }
    if (!(await key.verifies(signedText(hash), signature))) return { number, fault: 'signature' }
  }
  return undefined
}

function unmetHead(links: readonly ProofLink[], heads: readonly ProofHead[]): Fault | undefined {
  const unmet = heads.find(({ number, hash }) => links[number - 1]?.hash !== hash)
  return unmet && { number: unmet.number, fault: 'head' }
}
