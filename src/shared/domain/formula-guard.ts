// What a spreadsheet may skip before a formula: our apostrophes, white space, and invisible characters. Not tabs and line
// ends: another cell may begin after them.
const SKIPPED = String.raw`(?:(?![\t\r\n])['\s\p{C}\p{Default_Ignorable_Code_Point}\u2800])*`
// At the beginning, and wherever a cell would begin in a spreadsheet that splits text at another character than the comma.
// There, a line end alone is harmless: postal addresses have several.
const WITHIN = String.raw`(?=${SKIPPED}[=+\-@＝＋－＠])`
const FIRST = String.raw`(?:${WITHIN}|(?=${SKIPPED}[\t\r\n]))`
const FORMULA = new RegExp(String.raw`^${FIRST}|(?<=[;\t\r\n])${WITHIN}`, 'gu')
const GUARDED = new RegExp(String.raw`^'${FIRST}|(?<=[;\t\r\n])'${WITHIN}`, 'gu')

/** Adds an apostrophe to what a spreadsheet would run as a formula, so that it stays plain text. */
export function guardFormula(text: string): string {
  return text.replaceAll(FORMULA, "'")
}

/** The exact inverse of `guardFormula`. */
export function unguardFormula(text: string): string {
  return text.replaceAll(GUARDED, '')
}
