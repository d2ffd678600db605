const MARKS = /[\u0300-\u036f]/g
const LETTERS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
}
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Text without case and accents, for comparison: "Café" and "CAFE" both become "cafe". The database has the same rule. */
export function foldText(written: string): string {
  return written
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(MARKS, '')
    .replaceAll(FOLDED, (letter) => LETTERS[letter] ?? letter)
}
