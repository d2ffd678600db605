import { withoutInvisible } from '#shared/domain/plain-text.ts'
import type { CertificateVerdict } from './verify-certificate.ts'

/** A verdict as people read it. */
export interface VerdictWords {
  title: 'Genuine' | 'Changed' | 'Unknown'
  text: string
}

export function verdictWords(found: CertificateVerdict): VerdictWords {
  if (found.verdict === 'genuine') {
    return { title: 'Genuine', text: 'Every record, and every page, is as it was signed.' }
  }
  if (found.verdict === 'changed') return { title: 'Changed', text: changeText(found) }
  const { reason } = found
  if (reason.kind === 'no certificate') return { title: 'Unknown', text: 'This file is not a certificate of TRAXX.' }
  if (reason.kind === 'newer version') return { title: 'Unknown', text: NEWER }
  return {
    title: 'Unknown',
    text: `It was signed with the key ${written(reason.keyId)}, which is not the one it was checked with. Nothing is known about it.`,
  }
}

const NEWER =
  'It was made by a newer version of TRAXX. Its records are as they were signed, but its pages can only be checked by that version.'

function changeText({ part, record, certificate }: CertificateVerdict & { verdict: 'changed' }): string {
  const where = record === null ? '' : ` of record ${record}`
  const said = new Map(Object.entries(CHANGES)).get(part)
  if (said) return said.replace('{where}', where)
  const { parts = [] } = certificate.proved.find((one) => one.record.number === record)?.record ?? {}
  const title = parts.find(({ name }) => name === part)?.title ?? part
  return `The part “${written(title)}”${where} is not as it was signed.`
}

/** What a file says, which anybody may have made, without what would write over this on a terminal or turn it around. */
function written(text: string): string {
  return withoutInvisible(text)
}

const CHANGES = {
  record: 'The account, number, kind, message or time{where} is not as it was signed.',
  number: 'The number{where} is not that of its signature.',
  'record hash': 'The hashes{where} are not those that were signed.',
  hash: 'The place in the chain{where} is not the one that was signed.',
  signature: 'The signature{where} is not that of the key.',
  records:
    'Its records do not belong together: they are about different messages, answers or accounts, or not in their order.',
  pages:
    'Its records are as they were signed, but its pages are not the ones that these records make. What the pages say does not count.',
}
