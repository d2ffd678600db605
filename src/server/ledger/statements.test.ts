import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const CHANGE =
  /(?:insert\s+into|update|delete\s+from|merge\s+into|copy)\s+(?:only\s+)?reminders\b|\bem\s*\.\s*\w+\(\s*ReminderEntity\b/gi

function changesIn(text: string): string[] {
  return (text.match(CHANGE) ?? []).map((change) => change.replaceAll(/\s+/g, ' '))
}

function changesOf(file: string): string[] {
  return changesIn(readFileSync(file, 'utf8')).map((change) => `${file}: ${change}`)
}

/** Two more change rows by a name that they are given: archives add whole ledgers, and deletions remove them. */
test('only statements of the ledger change it', () => {
  const files = globSync('{src/server,standins}/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const [own, others] = [files.filter(isOfLedger), files.filter((file) => !isOfLedger(file))]
  expect(others.flatMap(changesOf)).toEqual([])
  expect(own.flatMap(changesOf).length).toBeGreaterThan(25)
})

test.each([
  'insert into reminders (account_id)',
  'update only reminders r set state',
  'delete  from\n  reminders where',
  'await em.nativeUpdate(ReminderEntity, {})',
])('a change of the ledger is found: %s', (statement) => {
  expect(changesIn(statement)).toHaveLength(1)
  expect(changesIn('select 1 from reminders r join reminder_schedules s on true; update reminder_schedules')).toEqual(
    [],
  )
})

function isOfLedger(file: string): boolean {
  return file.replaceAll('\\', '/').startsWith('src/server/ledger/')
}
