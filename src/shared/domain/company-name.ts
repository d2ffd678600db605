import { hasInvisible, hasLink, isVisible, withoutInvisible, withoutLinks } from './plain-text.ts'

/** Why a name may not stand as the sender of mail. */
export type CompanyNameFault = 'invisible' | 'address' | 'encoded' | 'ours'

/** What is wrong with the name of a company, in which something can be seen; undefined where nothing is. */
export function companyNameFault(name: string): CompanyNameFault | undefined {
  if (hasInvisible(name)) return 'invisible'
  const plain = name.normalize('NFKC')
  if (plain.includes('=?')) return 'encoded'
  if (hasLink(plain) || /\S@\S/.test(plain)) return 'address'
  return pretendsToBeUs(plain) ? 'ours' : undefined
}

/** A name as it may stand in a header, whatever was stored before there were rules; empty where nothing is left of it. */
export function plainSenderName(name: string): string {
  const plain = withoutInvisible(name.normalize('NFKC'))
    .replaceAll('=?', '= ?')
    .replaceAll(/(?<=\S)@(?=\S)/g, ' at ')
  return withoutLinks(plain).replaceAll(/\s+/g, ' ').trim()
}

/** The name under which an account writes to its customers; null where it has none that can be used. */
export function usableCompanyName(name: string | null): string | null {
  const plain = plainSenderName(name ?? '')
  return isVisible(plain) && !pretendsToBeUs(plain) ? plain : null
}

/** Also in full-width letters, with accents, in pieces, with look-alikes, and with whatever follows it in the word. */
function pretendsToBeUs(name: string): boolean {
  const letters = name.replaceAll(TRADEMARKS, '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const latin = letters.replaceAll(LOOK_ALIKE, (letter) => LOOK_ALIKES[letter] ?? letter)
  const words = latin.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.some((word, place) => isOurs(word) || beginsWithOurs(words.slice(place)))
}

function isOurs(word: string): boolean {
  return word.startsWith(OURS) && word !== SOMEBODY_ELSE
}

function beginsWithOurs(words: string[]): boolean {
  return words[0] !== SOMEBODY_ELSE && words.join('').startsWith(OURS)
}

// Compatibility forms of these are letters.
const TRADEMARKS = /[©®™℠]/g
const LOOK_ALIKES: Record<string, string> = {
  '7': 't',
  '4': 'a',
  '×': 'x',
  '✕': 'x',
  '✖': 'x',
  '✗': 'x',
  '✘': 'x',
  // Latin
  ŧ: 't',
  ᴛ: 't',
  ʀ: 'r',
  ᴀ: 'a',
  // Cyrillic
  т: 't',
  а: 'a',
  х: 'x',
  // Greek
  τ: 't',
  α: 'a',
  λ: 'a',
  χ: 'x',
}
const LOOK_ALIKE = new RegExp(`[${Object.keys(LOOK_ALIKES).join('')}]`, 'g')
const OURS = 'traxx'
/** A maker of model cars. */
const SOMEBODY_ELSE = 'traxxas'
