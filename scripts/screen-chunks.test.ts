import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { screenChunks, sharedMantine } from './screen-chunks.ts'

let routes = ''

beforeEach(() => {
  routes = mkdtempSync(join(tmpdir(), 'traxx-routes-'))
  for (const screen of ['contracts', 'customers', 'dashboard']) {
    writeFileSync(join(routes, `_app.${screen}.tsx`), 'createFileRoute({ ssr: true })')
  }
  writeFileSync(join(routes, '_app.profile.tsx'), 'createFileRoute({})')
})

afterEach(() => rmSync(routes, { recursive: true, force: true }))

const [CONTRACTS, CUSTOMERS, DASHBOARD, PROFILE] = ['contracts', 'customers', 'dashboard', 'profile'].map(
  (screen) => `/app/routes/_app.${screen}.tsx?tsr-split=component`,
)

/** The chunk of a module, by who imports whom. */
function chunkOf(id: string, importers: Record<string, (string | undefined)[]>): string | null {
  const graph = {
    getModuleInfo: (one: string) => ({ importers: (importers[one] ?? []).filter((name) => name !== undefined) }),
  }
  const groups = screenChunks(routes).toSorted((one, other) => other.priority - one.priority)
  return groups.map(({ name }) => name(id, graph)).find((name) => name !== null) ?? null
}

test('what most server-rendered screens import is one chunk, however far away it is imported', () => {
  expect(chunkOf('table', { table: ['list', DASHBOARD], list: [CONTRACTS, CUSTOMERS] })).toBe('screens')
})

test('what two of them import is named by them', () => {
  expect(chunkOf('pager', { pager: ['list'], list: [CONTRACTS, CUSTOMERS, PROFILE] })).toBe('contracts-customers')
})

test('what one of them imports, or none, is left to the bundler', () => {
  expect(chunkOf('pdf', { pdf: [CONTRACTS, 'dialog'], dialog: [] })).toBeNull()
  expect(chunkOf('name-form', { 'name-form': [PROFILE] })).toBeNull()
})

test('an index that imports everything does not count, and imports in a circle come to an end', () => {
  const index = '/app/node_modules/library/index.mjs'
  expect(chunkOf('modal', { modal: [index], [index]: [CONTRACTS, CUSTOMERS] })).toBeNull()
  expect(chunkOf('one', { one: ['two', CONTRACTS], two: ['one', CUSTOMERS] })).toBe('contracts-customers')
})

test('the components whose styles every screen loads are found, and no others', () => {
  const styles = join(routes, 'styles.ts')
  writeFileSync(
    styles,
    "import '@mantine/core/styles/global.layer.css'\nimport '@mantine/core/styles/Badge.layer.css'\n",
  )
  const shared = sharedMantine(styles)
  expect(shared.test('/app/node_modules/@mantine/core/esm/components/Badge/Badge.mjs')).toBe(true)
  expect(shared.test('/app/node_modules/@mantine/core/esm/components/Modal/Modal.mjs')).toBe(false)
})
