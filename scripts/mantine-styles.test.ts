import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingStyles } from './mantine-styles.ts'

let built = ''

beforeEach(() => {
  built = mkdtempSync(join(tmpdir(), 'traxx-styles-'))
})

afterEach(() => rmSync(built, { recursive: true, force: true }))

test('a component whose script is built without its styles is named', async () => {
  writeFileSync(join(built, 'index.js'), `const classes = { root: "${await buttonClass()}" }`)
  writeFileSync(join(built, 'index.css'), 'body{margin:0}')
  await expect(missingStyles(built)).resolves.toEqual(['Button.css'])
})

test('a component with its styles, and styles without their component, are no fault', async () => {
  writeFileSync(join(built, 'index.js'), 'const other = "m_unknown"')
  writeFileSync(join(built, 'index.css'), `.${await buttonClass()}{color:red}`)
  await expect(missingStyles(built)).resolves.toEqual([])
})

async function buttonClass(): Promise<string> {
  const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'))
  const [name] = (await readFile(join(styles, 'styles/Button.css'), 'utf8')).match(/m_[0-9a-f]+/) ?? []
  if (!name) throw new Error('Button.css has no class')
  return name
}
