import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const COMMAND = join(import.meta.dirname, 'operator.ts')

test.each([[[]], [['lift-stop']], [['delete', 'ann@example.com']], [['lift-stop', 'a@b.c', 'd@e.f']]])(
  'a command that it does not know changes nothing, and says how it is used: %j',
  (args) => {
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toBe('Nothing was changed: use it as in: npm run operator -- lift-stop ann@example.com\n')
  },
)
