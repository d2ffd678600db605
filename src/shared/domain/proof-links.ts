import { firstHash, hashLink, signedText, type ProofHead, type ProofLink } from './proof-chain.ts'
import type { ProofKey } from './proof-key.ts'

export interface ChainToVerify {
  account: number
  /** In the order of their numbers. */
  links: readonly ProofLink[]
  keys: readonly ProofKey[]
  /** Heads that were exported or mailed before. */
  heads?: readonly ProofHead[]
}

export type ChainVerdict =
  | { verdict: 'genuine'; links: number; head: ProofHead | undefined }
  /** The first fault that was found, at the link of this number. */
  | { verdict: 'changed'; number: number; fault: ChainFault }

/** `missing`: a link is not there, or not in its place. `head`: the chain is not the one that a known head is of. */
export type ChainFault = 'missing' | 'previous hash' | 'hash' | 'key' | 'signature' | 'head'

/** Signatures are checked side by side, as each runs on a thread of its own. */
const AT_ONCE = 1000

/**
 * Checks a whole chain by its links alone: that none is missing, changed, moved or added, and that it leads to every head
 * that is known. Links after the last known head could have been removed or made anew by whoever has the key.
 */
export async function verifyLinks(chain: ChainToVerify): Promise<ChainVerdict> {
  const { account, links, heads = [] } = chain
  let previous = await firstHash(account)
  for (let from = 0; from < links.length; from += AT_ONCE) {
    const some = links.slice(from, from + AT_ONCE)
    const befores = [previous, ...some.map(({ hash }) => hash)]
    const faults = await Promise.all(
      some.map((link, index) => faultOf(link, { ...chain, number: from + index + 1, before: befores[index] })),
    )
    const index = faults.findIndex((fault) => fault !== undefined)
    const fault = faults[index]
    if (fault) return { verdict: 'changed', number: from + index + 1, fault }
    previous = befores.at(-1) ?? previous
  }
  const unmet = heads.find(({ number, hash }) => links[number - 1]?.hash !== hash)
  if (unmet) return { verdict: 'changed', number: unmet.number, fault: 'head' }
  const last = links.at(-1)
  return { verdict: 'genuine', links: links.length, head: last && { number: last.number, hash: last.hash } }
}

interface Expected extends ChainToVerify {
  number: number
  before: string | undefined
}

async function faultOf(link: ProofLink, { number, before, keys }: Expected): Promise<ChainFault | undefined> {
  if (link.number !== number) return 'missing'
  if (link.previousHash !== before) return 'previous hash'
  if ((await hashLink(link)) !== link.hash) return 'hash'
  const key = keys.find(({ id }) => id === link.keyId)
  if (!key) return 'key'
  return (await key.verifies(signedText(link.hash), link.signature)) ? undefined : 'signature'
}
