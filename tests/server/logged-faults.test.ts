import { expect, test } from 'vitest'
import { AWAY, loggedFaults } from '#support/fuzz/logged-faults.ts'

const logged = (level: number, message: string) => JSON.stringify({ level, err: { message } })

test('what a server says when it starts, what it only reports, and a service that is away are no faults', () => {
  const fine = [
    '',
    '  TRAXX is ready at http://localhost:3000',
    '  Stop with Ctrl-C',
    logged(40, 'slow'),
    logged(50, `${AWAY[0]}: no answer`),
  ]
  expect(loggedFaults(fine.join('\n'))).toEqual([])
})

test.each([
  logged(50, 'relation does not exist'),
  '    at run (/app/src/server/main.ts:3:1)',
  '(node:7) MaxListenersExceededWarning: Possible EventEmitter memory leak detected',
  'null',
  '{"level":50',
])('%s is a fault', (line) => {
  expect(loggedFaults(`  Stop with Ctrl-C\n${line}\n`)).toEqual([`logged: ${line}`])
})
