// At the beginning, and where a spreadsheet that splits text at another sign than the comma would begin a cell. There a
// line end is no formula: addresses have several.
const FORMULA = /^(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?='*[=+\-@＝＋－＠])/g
const GUARDED = /^'(?='*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])'(?='*[=+\-@＝＋－＠])/g

/** Before what a spreadsheet would run as a formula comes an apostrophe, which makes it plain text. */
export function guardFormula(text: string): string {
  return text.replaceAll(FORMULA, "'")
}

/** Undoes exactly what `guardFormula` does: every text comes back as it was. */
export function unguardFormula(text: string): string {
  return text.replaceAll(GUARDED, '')
}
