// What a spreadsheet may skip before a formula: apostrophes of ours, white space and what cannot be seen. Tabs and line ends
// are not among it: after them another cell may begin.
const SKIPPED = String.raw`(?:(?![\t\r\n])['\s\p{C}\p{Default_Ignorable_Code_Point}\u2800])*`
// At the beginning, and where a spreadsheet that splits text at another character than the comma would begin a cell. There a
// line end is no formula: addresses have several.
const WITHIN = String.raw`(?=${SKIPPED}[=+\-@＝＋－＠])`
const FIRST = String.raw`(?:${WITHIN}|(?=${SKIPPED}[\t\r\n]))`
const FORMULA = new RegExp(String.raw`^${FIRST}|(?<=[;\t\r\n])${WITHIN}`, 'gu')
const GUARDED = new RegExp(String.raw`^'${FIRST}|(?<=[;\t\r\n])'${WITHIN}`, 'gu')

/** Before what a spreadsheet would run as a formula comes an apostrophe, which makes it plain text. */
export function guardFormula(text: string): string {
  return text.replaceAll(FORMULA, "'")
}

/** Undoes exactly what `guardFormula` does: every text comes back as it was. */
export function unguardFormula(text: string): string {
  return text.replaceAll(GUARDED, '')
}
