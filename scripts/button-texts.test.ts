import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CLIENT = join(import.meta.dirname, '../src/client')
/** Fixed by the specification. */
const FIXED = ['Mark all as read', 'Clear all']
const SMALL = ['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with', 'as']

/** What is between the tags of a button. An arrow function's `>` is none. */
const CHILDREN = /[^=]>((?:[^<>]|=>)*)<\/\w*Button>/g
const LABELS = /\b(?:confirmLabel|submitLabel)="([^"]+)"/g
const EXPRESSION = /\{[^]*\}/g
const QUOTED = /'([^']+)'/g

test('texts of buttons are in Title Case', () => {
  const files = globSync('**/*.tsx', { cwd: CLIENT }).filter((file) => !file.includes('.test.'))
  const texts = files.flatMap((file) => buttonTexts(readFileSync(join(CLIENT, file), 'utf8')))
  expect(texts).toContain('Add Customer')
  expect(texts.filter((text) => !FIXED.includes(text) && !isTitleCase(text))).toEqual([])
})

test('a text in another case is found, also in an expression', () => {
  const texts = buttonTexts(`
    <Button onClick={() => go()}>
      <Icon /> Save it
    </Button>
    <FormDialog submitLabel="Send code" />
    <TextButton>{isFirst ? 'Add One' : 'Add another'}</TextButton>`)
  expect(texts).toEqual(['Save it', 'Add One', 'Add another', 'Send code'])
  expect(texts.filter(isTitleCase)).toEqual(['Add One'])
})

function buttonTexts(source: string): string[] {
  const children = [...source.matchAll(CHILDREN)].flatMap(([, inside = '']) => [
    inside.replaceAll(EXPRESSION, ''),
    ...[...inside.matchAll(QUOTED)].map(([, text = '']) => text),
  ])
  const labels = [...source.matchAll(LABELS)].map(([, text = '']) => text)
  return [...children, ...labels].map((text) => text.trim()).filter((text) => /^[A-Z]/.test(text))
}

function isTitleCase(text: string): boolean {
  return text.split(/\s+/).every((word, index) => !/^[a-z]/.test(word) || (index > 0 && SMALL.includes(word)))
}
