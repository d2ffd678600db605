import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Product files of the server with a statement like this. */
function filesWith(statement: RegExp): string[] {
  const files = globSync('src/server/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  return files.filter((file) => statement.test(readFileSync(file, 'utf8'))).toSorted()
}

test('only the ledger changes reminders', () => {
  expect(filesWith(/\b(update|insert\s+into|delete\s+from|merge\s+into)\s+(only\s+)?reminders\b/i)).toEqual([
    'src/server/ledger/answers.ts',
    'src/server/ledger/confirmations.ts',
    'src/server/ledger/exchange-messages.ts',
    'src/server/ledger/ledger.ts',
    'src/server/ledger/letters.ts',
    'src/server/ledger/planned-now.ts',
    'src/server/ledger/planning.ts',
    'src/server/ledger/requests.ts',
    'src/server/ledger/terms.ts',
  ])
})

test('only notify.ts adds notifications', () => {
  expect(filesWith(/\binsert\s+into\s+notifications\b/i)).toEqual(['src/server/notifications/notify.ts'])
})
