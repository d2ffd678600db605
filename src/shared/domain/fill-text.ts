import { BLOCK_LINE, BLOCKS, VARIABLE, type TextBlock } from './reminder-text.ts'

/** The text with every variable replaced. A value that looks like a variable is not replaced again. */
export function fillText(text: string, values: Record<string, string>): string {
  return text.replaceAll(VARIABLE, (_whole, name: string) => oneLine(values[name.trim()] ?? ''))
}

/** A paragraph of a body with its variables, or a block. */
export type TextPart = { text: string } | { block: TextBlock }

/** The parts of a body, in order. */
export function partsOf(body: string): TextPart[] {
  const apart = body.replaceAll(BLOCK_LINE, '\n{{$1}}\n')
  const paragraphs = apart.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  return paragraphs.filter(Boolean).map((paragraph) => {
    const block = BLOCKS.find((name) => paragraph === `{{${name}}}`)
    return block ? { block } : { text: paragraph }
  })
}

/** A subject stays on one line, even if a name contains a line break. */
function oneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
