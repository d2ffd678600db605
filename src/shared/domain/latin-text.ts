/** What the standard fonts of PDFs have: Windows-1252. */
const PRINTED = /^[\n\t\x20-\x7E\xA0-\xFFŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]*$/u

/** Latin letters and punctuation that Unicode does not take apart, each before its spelling. */
const SPELLINGS =
  "ŁL łl ĐD đd ĦH ħh ŦT ŧt ŊNg ŋng ıi ĸk ẞSS ƏA əa ƁB ɓb ƊD ɗd ƘK ƙk ƐE ɛe ƆO ɔo ƗI ɨi ‐- ‑- ‒- −- ―— ′' ″\" ʻ' ʼ' ⁄/"
const SPELLED = new Map(SPELLINGS.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]))

/**
 * The text with letters that a PDF's standard fonts lack spelled with those they have: Łódź as Lódz. A character of which
 * no such spelling is known stays, as those of other scripts.
 */
export function inLatin(text: string): string {
  return PRINTED.test(text) ? text : Array.from(text.normalize('NFC'), spelled).join('')
}

/** The characters, each once, that cannot be printed in a letter, as no Latin spelling of them is known. */
export function unprintable(text: string): string[] {
  return [...new Set(Array.from(inLatin(text)).filter((character) => !PRINTED.test(character)))]
}

function spelled(character: string): string {
  if (PRINTED.test(character)) return character
  const parts = Array.from(character.normalize('NFKD'), (part) => SPELLED.get(part) ?? part)
  const plain = parts.join('').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
  return PRINTED.test(plain) ? plain : character
}
