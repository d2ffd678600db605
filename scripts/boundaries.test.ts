import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'

const ROOT = join(import.meta.dirname, '..')
const CONFIG = join(ROOT, '.oxlintrc.json')
const OXLINT = join(ROOT, 'node_modules/.bin/oxlint')

type Plant = [file: string, specifier: string]

const FORBIDDEN: Plant[] = [
  ['src/shared/errors.ts', '#server/context.ts'],
  ['src/shared/schemas/customers.ts', '#client/text/format.ts'],
  ['src/shared/domain/day.ts', '#shared/errors.ts'],
  ['src/shared/domain/money.ts', '#server/context.ts'],
  ['src/shared/domain/money.ts', '../errors.ts'],
  ['src/server/http/health.ts', '#standins/main.ts'],
  ['src/server/boot/open-services.ts', '@clerk/backend'],
  ['src/server/limits/limits.ts', '@clerk/backend'],
  ['src/server/company/company.service.ts', '#server/reminders/sending/claim.ts'],
  ['src/server/http/health.ts', '#client/text/format.ts'],
  ['src/server/boot/run.ts', '#support/world.ts'],
  ['src/server/boot/run.ts', '#standins/main.ts'],
  ['src/server/boot/find-local-environment.ts', '#client/text/format.ts'],
  ['src/server/pages/page-routes.ts', '#server/boot/origins.ts'],
  ['src/server/http/health.ts', '#server/boot/origins.ts'],
  ['src/server/http/health.ts', '#support/world.ts'],
  ['standins/postgres/embedded-postgres.ts', '#server/boot/local-environment.ts'],
  ['src/server/pages/page-routes.ts', '#standins/main.ts'],
  ['src/server/security/security-log.ts', '#client/text/format.ts'],
  ['src/server/db/connections/read.ts', '#server/customers/customers.service.ts'],
  ['src/server/db/connections/read.ts', '#server/context.ts'],
  ['src/server/db/connections/orm-config.ts', '#server/customers/customer.entity.ts'],
  ['src/server/identity/callers.ts', '#server/customers/customers.service.ts'],
  ['src/server/limits/limits.ts', '#server/context.ts'],
  ['src/server/storage/file-store.ts', '#server/context.ts'],
  ['src/server/outside/circuit.ts', '#server/context.ts'],
  ['src/server/ledger/ledger.ts', '#server/reminders/plan-reminders.ts'],
  ['src/server/proofs/append-proof.ts', '#server/reminders/plan-reminders.ts'],
  ['src/server/notifications/notify.ts', '#server/customers/customers.service.ts'],
  ['src/server/identity/accounts.service.ts', '#server/reminders/plan-reminders.ts'],
  ['src/server/mail/mailer.ts', '#server/identity/callers.ts'],
  ['src/server/tags/tags.service.ts', '#server/customers/customers.service.ts'],
  ['src/server/customers/customers.service.ts', '#server/contracts/contracts.service.ts'],
  ['src/server/customers/customers.service.ts', '#server/trpc.ts'],
  ['src/server/notifications/notifications.service.ts', '#server/reminders/reminders.service.ts'],
  ['src/server/billing/stripe.ts', '#server/customers/customer.entity.ts'],
  ['src/server/billing/stripe.ts', '#standins/stripe/engine.ts'],
  ['src/server/files/files.service.ts', '#server/contracts/contracts.service.ts'],
  ['src/server/contracts/contracts.service.ts', '#server/reminders/reminders.service.ts'],
  ['src/server/contracts/contracts.service.ts', '#server/dashboard/dashboard.service.ts'],
  ['src/server/reminders/reminders.service.ts', '#server/billing/stripe.ts'],
  ['src/server/reminders/reminders.service.ts', '#server/reminder-settings/settings.service.ts'],
  ['src/server/reminder-settings/settings.service.ts', '#server/billing/stripe.ts'],
  ['src/server/deliverability/bounces.service.ts', '#server/reminders/outbox.service.ts'],
  ['src/server/notices/notices.service.ts', '#server/bulk/run-bulk-changes.ts'],
  ['src/server/notice-rules/notice-rules.service.ts', '#server/reminders/outbox.service.ts'],
  ['src/server/renewals/renew-contracts.ts', '#server/bulk/run-bulk-changes.ts'],
  ['src/server/dashboard/dashboard.service.ts', '#server/routers/index.ts'],
  ['src/server/dashboard/dashboard.service.ts', '#server/imports/imports.service.ts'],
  ['src/server/imports/imports.service.ts', '#server/dashboard/dashboard.service.ts'],
  ['src/server/imports/imports.service.ts', '#server/rest/input.ts'],
  ['src/server/imports/imports.service.ts', '#server/exports/exports.service.ts'],
  ['src/server/imports/sheet/batches.ts', '#server/db/connections/wire-value.ts'],
  ['src/server/imports/sheet/batches.ts', '../imports.service.ts'],
  ['src/server/exports/exports.service.ts', '#server/rest/input.ts'],
  ['src/server/archives/archive.service.ts', '#server/rest/input.ts'],
  ['src/server/exports/exports.service.ts', '#server/pages/page-routes.ts'],
  ['src/server/imports/imports.service.ts', '#server/http/request-limits.ts'],
  ['src/server/rest/customers.ts', '#server/boot/origins.ts'],
  ['src/server/retention/sweep-history.ts', '#server/rest/input.ts'],
  ['src/server/deletion/finish-deletion.ts', '#server/rest/input.ts'],
  ['src/server/routers/customers.ts', '#server/rest/input.ts'],
  ['src/server/routers/customers.ts', '#server/boot/build-app.ts'],
  ['src/server/rest/customers.ts', '#server/routers/customers.ts'],
  ['src/server/rest/customers.ts', '#server/env.ts'],
  ['src/server/jobs.ts', '#server/rest/input.ts'],
  ['src/server/jobs.ts', '#server/trpc.ts'],
  ['standins/stripe/engine.ts', '#server/billing/stripe.ts'],
  ['standins/main.ts', '#client/text/format.ts'],
  ['src/client/app/router.tsx', '#server/trpc.ts'],
  ['src/client/text/format.ts', '#server/context.ts'],
  ['src/client/contracts/contract-list.tsx', '#client/customers/customer-picker.tsx'],
  ['src/client/contracts/contract-list.tsx', '#client/routes/contracts.tsx'],
  ['src/client/contracts/contract-list.tsx', '#server/contracts/contract.view.ts'],
  ['src/client/ui/lists/data-table.tsx', '#client/api/trpc.ts'],
  ['src/client/ui/lists/data-table.tsx', '#shared/schemas/lists.ts'],
  ['src/client/ui/lists/data-table.tsx', '#shared/domain/money.ts'],
  ['src/client/routes/contracts.tsx', '#server/trpc.ts'],
  ['src/client/api/trpc.ts', '#server/routers/index.ts'],
  ['src/client/api/trpc.ts', '#standins/main.ts'],
  ['migrations/0001-first.ts', '#server/db/tenant-policies.ts'],
  ['scripts/build.ts', '../src/server/main.ts'],
  ['vite.config.ts', '../outside.ts'],
  ['tests/e2e/journey.spec.ts', '../support/world.ts'],
]

const ALLOWED: Plant[] = [
  ['src/shared/schemas/contracts.ts', '#shared/domain/day.ts'],
  ['src/shared/domain/contract-term.ts', '#shared/domain/day.ts'],
  ['src/server/boot/find-local-environment.ts', '#standins/main.ts'],
  ['standins/main.ts', '#server/boot/local-environment.ts'],
  ['standins/postgres/embedded-postgres.ts', '#server/db/tenant-policies.ts'],
  ['src/server/boot/entities.ts', '#server/customers/customer.entity.ts'],
  ['src/server/contracts/contract.entity.ts', '#server/customers/customer.entity.ts'],
  ['src/server/contracts/contract.entity.ts', '#server/db/tenant-policies.ts'],
  ['src/server/reminders/reminders.service.ts', '#server/notifications/notifications.service.ts'],
  ['src/server/dashboard/dashboard.service.ts', '#server/contracts/contract.view.ts'],
  ['src/server/exports/exports.service.ts', '#server/imports/imports.service.ts'],
  ['src/server/routers/index.ts', '#server/dashboard/dashboard.service.ts'],
  ['src/server/archives/write-archive.ts', '#server/dashboard/dashboard.service.ts'],
  ['src/server/rest/dashboard.ts', '#server/trpc.ts'],
  ['src/server/deliverability/complaints.service.ts', '#server/security/security-log.ts'],
  ['src/server/contracts/contracts.service.ts', '#server/ledger/schedule.ts'],
  ['src/server/billing/stripe.ts', '#server/outside/circuit.ts'],
  ['src/server/identity/accounts.service.ts', '#server/ledger/schedule.ts'],
  ['standins/clerk/plugin.ts', '#shared/errors.ts'],
  ['src/client/contracts/contract-list.tsx', '#client/ui/lists/data-table.tsx'],
  ['src/client/contracts/contract-list.tsx', '#client/api/trpc.ts'],
  ['src/client/contracts/contract-list.tsx', '#shared/domain/day.ts'],
  ['src/client/ui/lists/data-table.tsx', '#client/text/format.ts'],
  ['src/client/routes/contracts.tsx', '#client/contracts/contract-list.tsx'],
  ['tests/e2e/journey.spec.ts', '#support/world.ts'],
]

/** What may be known of the other side, but not used. */
const TYPES_ONLY: Plant[] = [
  ['src/client/ui/cards/stat-card.tsx', '#shared/domain/money.ts'],
  ['src/client/api/trpc.ts', '#server/routers/index.ts'],
]

const Report = z.object({
  diagnostics: z.array(
    z.object({ code: z.string(), message: z.string(), help: z.string().optional(), filename: z.string() }),
  ),
})
const Config = z.object({ overrides: z.array(z.object({ rules: z.record(z.string(), z.unknown()) })) })
const Restriction = z.tuple([z.string(), z.object({ patterns: z.array(z.object({ message: z.string() })) })])

let project: string

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'traxx-boundaries-'))
  copyFileSync(CONFIG, join(project, '.oxlintrc.json'))
})

afterEach(() => rmSync(project, { recursive: true }))

test('every import that crosses a boundary is refused', () => {
  expect(refused(FORBIDDEN, 'import')).toEqual(asText(FORBIDDEN))
})

test("of Clerk's package for servers nothing but its errors is imported, wherever", () => {
  const files = new Set([...FORBIDDEN, ...ALLOWED].map(([file]) => file))
  const plant = (...names: string[]) => [...files].flatMap((file) => names.map((name): Plant => [file, name]))
  const others = plant('@clerk/backend', '@clerk/backend/extra', '@clerk/backend/errors/x', '@clerk/backend/internal')
  expect(refused(others, 'import')).toEqual(asText(others))
  expect(refused(plant('@clerk/backend/errors'), 'import')).toEqual([])
})

test('an import that is loaded later is refused like any other', () => {
  expect(refused([['src/server/http/health.ts', '#standins/main.ts']], 'await import')).toHaveLength(1)
})

test('no import that the project allows is refused', () => {
  expect(refused(ALLOWED, 'import')).toEqual([])
})

test('the server does not know so much as a type of a stand-in', () => {
  const types: Plant[] = ['boot/open-services', 'boot/run', 'http/health', 'context', 'db/read', 'billing/stripe'].map(
    (file) => [`src/server/${file}.ts`, '#standins/main.ts'],
  )
  expect(refused(types, 'import type')).toEqual(asText(types))
})

test('types are allowed where using the thing is not', () => {
  expect(refused(TYPES_ONLY, 'import')).toEqual(asText(TYPES_ONLY))
  expect(refused(TYPES_ONLY, 'import type')).toEqual([])
})

test('only env.ts reads the environment', () => {
  for (const file of ['src/server/env.ts', 'src/server/http/health.ts', 'src/client/app/router.tsx'])
    write(file, ['process.env.PORT'])
  expect(filesWith('no-process-env')).toEqual(['src/client/app/router.tsx', 'src/server/http/health.ts'])
})

test('two modules that import each other are refused', () => {
  write('src/shared/one.ts', [`import { two } from './two.ts'`, 'export const one = () => two'])
  write('src/shared/two.ts', [`import { one } from './one.ts'`, 'export const two = () => one'])
  expect(filesWith('no-cycle')).toEqual(['src/shared/one.ts', 'src/shared/two.ts'])
})

test('two modules of which each knows only a type of the other are refused', () => {
  write('src/shared/one.ts', [`import type { Two } from './two.ts'`, 'export type One = Two | 1'])
  write('src/shared/two.ts', [`import type { One } from './one.ts'`, 'export type Two = One[]'])
  expect(filesWith('no-cycle')).toEqual(['src/shared/one.ts', 'src/shared/two.ts'])
})

test.each(['src/server', 'src/client', 'src/shared', 'standins'])(
  'no rooms of %s import each other, types included',
  (folder) => {
    const found = roomsOf(ROOT, folder)
    expect(found.size).toBeGreaterThan(5)
    expect(circleIn(found)).toEqual([])
  },
)

test.each(['src/server', 'src/client', 'src/shared', 'standins'])(
  'no files of %s import each other, types and what is loaded on demand included',
  (folder) => {
    const found = importsOf(ROOT, folder, (file) => file)
    expect(found.size).toBeGreaterThan(50)
    expect(circleIn(found)).toEqual([])
  },
)

test('rooms that import each other over a third one are found, types included', () => {
  write('src/server/one/a.ts', [`import type { B } from '#server/two/b.ts'`])
  write('src/server/two/b.ts', [`export { c } from '#server/three/inner/c.ts'`, `import { other } from './other.ts'`])
  write('src/server/three/inner/c.ts', [`const { a } = await import('#server/one/a.ts')`])
  write('src/server/four/d.ts', [`import '#server/one/a.ts'`])
  expect(circleIn(roomsOf(project, 'src/server'))).toEqual(['one', 'two', 'three', 'one'])
  const files = ['one/a.ts', 'two/b.ts', 'three/inner/c.ts', 'one/a.ts']
  expect(circleIn(importsOf(project, 'src/server', (file) => file))).toEqual(files)
})

test('every sentence of the boundaries has refused something here', () => {
  const { overrides } = Config.parse(JSON.parse(readFileSync(CONFIG, 'utf8')))
  const sentences = overrides.flatMap(({ rules }) => {
    const restriction = Restriction.safeParse(rules['no-restricted-imports'])
    return restriction.success ? restriction.data[1].patterns.map(({ message }) => message) : []
  })
  const spoken = new Set(lint(FORBIDDEN, 'import').map(({ help }) => help))
  expect(sentences.filter((sentence) => !spoken.has(sentence))).toEqual([])
})

function asText(plants: Plant[]): string[] {
  return plants.map(([file, specifier]) => `${file}: ${specifier}`).toSorted()
}

function refused(plants: Plant[], statement: Statement): string[] {
  const found = lint(plants, statement).map(({ filename, message }) => `${filename}: ${message.split("'")[1]}`)
  return [...new Set(found)].toSorted()
}

type Statement = 'import' | 'import type' | 'await import'

/** Writes the imports into an empty project with the same rules, and returns oxlint's output. */
function lint(plants: Plant[], statement: Statement) {
  for (const [file, planted] of Map.groupBy(plants, ([path]) => path)) {
    const lines = planted.map(([, specifier], index) => lineOf(statement, specifier, index))
    write(file, lines)
  }
  return diagnostics().filter(({ code }) => code.includes('no-restricted-imports'))
}

function lineOf(statement: Statement, specifier: string, index: number): string {
  if (statement === 'await import') return `await import('${specifier}')`
  return `${statement} { thing as thing${index} } from '${specifier}'`
}

function write(file: string, lines: string[]): void {
  mkdirSync(join(project, dirname(file)), { recursive: true })
  writeFileSync(join(project, file), lines.join('\n'))
}

function filesWith(rule: string): string[] {
  const found = diagnostics().filter(({ code }) => code.includes(rule))
  return found.map(({ filename }) => filename).toSorted()
}

function diagnostics() {
  const { stdout } = spawnSync(OXLINT, ['--format', 'json'], { cwd: project, encoding: 'utf8' })
  return Report.parse(JSON.parse(stdout)).diagnostics
}

const SPECIFIERS = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** The rooms of a folder of the product, which are its folders and its loose files, and which others each imports. */
function roomsOf(root: string, folder: string): Map<string, Set<string>> {
  return importsOf(root, folder, roomOf)
}

/** What the files of a folder of the product belong to, and which others each imports. */
function importsOf(root: string, folder: string, nameOf: (file: string) => string): Map<string, Set<string>> {
  const alias = `#${folder.replace('src/', '')}/`
  const files = globSync('**/*.{ts,tsx}', { cwd: join(root, folder) }).filter((file) => !file.includes('.test.'))
  const imports = new Map<string, Set<string>>()
  for (const file of files) {
    const text = readFileSync(join(root, folder, file), 'utf8')
    const specifiers = [...text.matchAll(SPECIFIERS)].map(([, specifier = '']) => specifier)
    const imported = specifiers.flatMap((specifier) => {
      if (specifier.startsWith(alias)) return [nameOf(specifier.slice(alias.length))]
      return specifier.startsWith('./') ? [nameOf(join(dirname(file), specifier))] : []
    })
    const name = nameOf(file)
    const others = imports.get(name) ?? new Set()
    imports.set(name, new Set([...others, ...imported.filter((other) => other !== name)]))
  }
  return imports
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

/** Rooms of which each imports the next, and the last one the first; none where there is no such circle. */
function circleIn(imports: Map<string, Set<string>>): string[] {
  const done = new Set<string>()
  const follow = (room: string, path: string[]): string[] => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room]
    if (done.has(room)) return []
    for (const next of imports.get(room) ?? []) {
      const circle = follow(next, [...path, room])
      if (circle.length > 0) return circle
    }
    done.add(room)
    return []
  }
  return (
    [...imports.keys()]
      .toSorted()
      .map((room) => follow(room, []))
      .find((circle) => circle.length > 0) ?? []
  )
}
