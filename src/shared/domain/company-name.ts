import { hasInvisible, hasLink, isVisible, withoutInvisible, withoutLinks } from './plain-text.ts'

/** Why a name cannot be used as the sender of mail. */
export type CompanyNameFault = 'invisible' | 'address' | 'encoded' | 'ours'

/** What is wrong with a company name that is not blank; undefined if nothing is. */
export function companyNameFault(name: string): CompanyNameFault | undefined {
  if (hasInvisible(name)) return 'invisible'
  const plain = withPlainDots(name.normalize('NFKC'))
  if (plain.includes('=?')) return 'encoded'
  if (hasLink(plain) || /\S@\S/.test(plain)) return 'address'
  return pretendsToBeUs(plain) ? 'ours' : undefined
}

/** A stored name made safe for a mail header; empty if nothing is left of it. */
export function plainSenderName(name: string): string {
  const plain = withPlainDots(withoutInvisible(name.normalize('NFKC')))
    .replaceAll('=?', '= ?')
    .replaceAll(/(?<=\S)@(?=\S)/g, ' at ')
  return withoutLinks(plain).replaceAll(/\s+/g, ' ').trim()
}

/** The sender's name in an account's emails to customers; null if it has no usable one. */
export function usableCompanyName(name: string | null): string | null {
  const plain = plainSenderName(name ?? '')
  return isVisible(plain) && !pretendsToBeUs(plain) ? plain : null
}

/** What looks like the dot of a web address; Catalan writes a middle dot between two l. */
function withPlainDots(name: string): string {
  return name.replaceAll(LOOKS_LIKE_DOT, '.')
}

/** Also in full-width, accented, separated, or look-alike letters, and as the beginning of a longer word. */
function pretendsToBeUs(name: string): boolean {
  const plain = name.replaceAll(TRADEMARKS, '').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const letters = plain.replaceAll(/\P{L}/gu, (character) => LETTER_LIKE[character] ?? enclosedLetter(character))
  const words = letters.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const drawn = letters.split(/[^\p{L}\p{N}\p{Sm}\p{So}]+/u)
  return (
    words.some((word, index) => isOurs(word) || beginsWithOurs(words.slice(index, index + OURS.length))) ||
    drawn.some(isDrawnLikeOurs)
  )
}

/** Letters in black circles and squares, and the ones that flags are made of: Unicode does not class them as letters. */
function enclosedLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const first = ENCLOSED_FROM.find((start) => code >= start && code < start + ALPHABET.length)
  return first === undefined ? character : (ALPHABET[code - first] ?? character)
}

function isOurs(word: string): boolean {
  return looksLikeOurs(word) && word !== OTHER_BRAND
}

function beginsWithOurs(words: string[]): boolean {
  return words[0] !== OTHER_BRAND && looksLikeOurs(words.join(''))
}

/** A symbol can stand for any one of its letters. */
function isDrawnLikeOurs(word: string): boolean {
  const rest = lettersNotOurs(word)
  return rest?.length === 1 && rest.every((letter) => /[^\p{L}\p{N}]/u.test(letter))
}

/**
 * Whether a word begins with the letters of TRAXX. A letter that is not in our lists matches any of them, provided that
 * most of the others match: letters of scripts that names are hardly ever written in and, in a word with Latin letters,
 * those of scripts that resemble Latin.
 */
function looksLikeOurs(word: string): boolean {
  const rest = lettersNotOurs(word)
  if (!rest || rest.length > MOST_STRANGE) return false
  const isAmongLatin = firstOf(word).some((letter) => /[a-z]/.test(letter))
  const strange = isAmongLatin ? STRANGE_AMONG_LATIN : STRANGE
  return rest.every((letter) => strange.test(letter))
}

/** The letters, of the first five, that neither are nor resemble those of TRAXX; undefined if there are fewer than five. */
function lettersNotOurs(word: string): string[] | undefined {
  const start = firstOf(word)
  if (start.length < OURS.length) return undefined
  return start.filter((letter, index) => (LOOK_ALIKES[letter] ?? letter) !== OURS[index])
}

function firstOf(word: string): string[] {
  // A letter takes up to two characters.
  const start = word.slice(0, 2 * OURS.length)
  return start.match(/./gsu)?.slice(0, OURS.length) ?? []
}

// Compatibility forms of these are letters.
const TRADEMARKS = /[©®™℠]/g
/** Characters that are not letters but look like one. */
const LETTER_LIKE: Record<string, string> = {
  '7': 't',
  '4': 'a',
  '†': 't',
  ...Object.fromEntries(Array.from('×⨯⨉✕✖✗✘☓╳❌❎🗙🗴🗶', (cross) => [cross, 'x'])),
}
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const ENCLOSED_FROM = [0x1f150, 0x1f170, 0x1f1e6]
/** In lower case. */
const LOOK_ALIKES: Record<string, string> = {
  // Latin
  ŧ: 't',
  ƭ: 't',
  ᴛ: 't',
  ʀ: 'r',
  ᴀ: 'a',
  // Cyrillic
  т: 't',
  г: 'r',
  я: 'r',
  а: 'a',
  х: 'x',
  ҳ: 'x',
  // Greek
  τ: 't',
  α: 'a',
  λ: 'a',
  χ: 'x',
  // Lisu
  ꓔ: 't',
  ꓣ: 'r',
  ꓮ: 'a',
  ꓫ: 'x',
  // Cherokee
  ꭲ: 't',
  ꭱ: 'r',
  ꭺ: 'a',
  // Coptic
  ⲧ: 't',
  ⲁ: 'a',
  ⲭ: 'x',
  // Old Italic and Gothic
  𐌕: 't',
  𐌀: 'a',
  𐌗: 'x',
  𐍄: 't',
  𐌰: 'a',
  𐍇: 'x',
  // Runic
  ᛏ: 't',
  ᚱ: 'r',
  ᚷ: 'x',
}
const OURS = 'traxx'
const MOST_STRANGE = 2
/** Scripts of living languages whose letters do not resemble Latin ones. */
const UNLIKE_LATIN = (
  'Arab Beng Bopo Deva Ethi Geor Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa ' +
  'Thai Tibt'
)
  .split(' ')
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')
const STRANGE_AMONG_LATIN = new RegExp(String.raw`^(?![a-z${UNLIKE_LATIN}])\p{L}$`, 'u')
const STRANGE = new RegExp(String.raw`^(?![\p{scx=Grek}\p{scx=Cyrl}\p{scx=Armn}${UNLIKE_LATIN}])(?![a-z])\p{L}$`, 'u')
const LOOKS_LIKE_DOT = /(?<=[\p{Script=Latin}\p{N}])(?<!l(?=·l))[·‧∙⋅⸱⸳ꞏ](?=\p{Script=Latin})/giu
/** A model car brand. */
const OTHER_BRAND = 'traxxas'
