import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { urlOf } from '#support/full-server.ts'
import { anAccount, requireReader, useWorld } from '#support/world.ts'
import { operate } from './operator-command.ts'

const COMMAND = join(import.meta.dirname, 'operator.ts')
const USAGE = /^Nothing was changed: use it as in: npm run operator -- lift-stop ann@example\.com, or: .*\n$/

test.each([
  [[]],
  [['lift-stop']],
  [['delete', 'ann@example.com']],
  [['lift-stop', 'a@b.c', 'd@e.f']],
  [['refund']],
  [['refund', 'a@b.c', 'd@e.f']],
  [['lift-stop', 'a@b.c', '--written', '2026-03-10']],
])('a command that it does not know changes nothing, and says how it is used: %j', async (args) => {
  expect(await operate(args)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(USAGE) })
})

describe('lifting a stop', () => {
  const world = useWorld()

  const variables = () => ({ DATABASE_URL: urlOf(world.connection) })
  const liftStop = (named: string) => operate(['lift-stop', named], variables())

  /** As a process of its own. */
  function spawnLiftStop(named: string) {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ...variables() }
    return spawnSync(process.execPath, [COMMAND, 'lift-stop', named], { encoding: 'utf8', env })
  }

  async function aStopped() {
    const { accountId } = requireReader(await anAccount(world))
    await world.db.system.query(
      'insert into mail_stops (account_id, stopped_at, complaints, mails) values ($1, now(), 3, 3)',
      [accountId],
    )
    return accountId
  }

  test('names an account by its ID, which it has without an email address too', async () => {
    const accountId = await aStopped()
    await world.db.system.query(`update accounts set email = ''`)
    expect(spawnLiftStop(' ')).toMatchObject({ status: 1, stderr: expect.stringContaining('no account') })
    expect(spawnLiftStop(`${accountId}`)).toMatchObject({
      status: 0,
      stdout: `Customer emails of ${accountId} have resumed\n`,
    })
  })

  test('names the IDs where an address does not tell which account is meant', async () => {
    const ids = [await aStopped(), await aStopped()]
    await world.db.system.query(`update accounts set email = 'ann@mill.test'`)
    const { status, stderr } = await liftStop('Ann@mill.test')
    expect(status).toBe(1)
    expect(stderr).toBe(
      `Nothing was changed: 2 accounts have the email address Ann@mill.test: use one of the IDs ${ids.join(', ')}\n`,
    )
  })
})
