import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { run } from '#server/boot/run.ts'
import { freePort, startApp } from '#support/app-process.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'traxx-start-'))
  // Root's PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** What the program writes and would exit with, called in this process. That it does exit is shown by the port in use. */
async function refusal(variables: Record<string, string>) {
  const names = ['DATABASE_URL', 'CLERK_SECRET_KEY', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'PUBLIC_URL']
  for (const name of names) vi.stubEnv(name, undefined)
  const all = { PORT: String(await freePort()), DATA_DIR: join(aFolder(), 'data'), ...variables }
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
  const written = vi.spyOn(console, 'error').mockReturnValue()
  const before = process.exitCode
  onTestFinished(() => {
    process.exitCode = before
  })
  await run()
  const lines = written.mock.calls.map(([line]) => String(line))
  written.mockClear()
  vi.unstubAllEnvs()
  return { code: process.exitCode, lines }
}

describe('says in one line why it cannot start, and exits with 1', () => {
  test('where DATABASE_URL does not answer', async () => {
    const { code, lines } = await refusal({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
    expect(lines).toEqual([
      expect.stringMatching(/^TRAXX cannot start: Could not connect to the database of DATABASE_URL: .*ECONNREFUSED/),
    ])
    expect(code).toBe(1)
  })

  test('where the data folder cannot be written', async () => {
    const file = join(aFolder(), 'file')
    writeFileSync(file, '')
    const { code, lines } = await refusal({ DATA_DIR: join(file, 'data') })
    expect(lines).toEqual([expect.stringContaining('TRAXX cannot start: ')])
    expect(lines[0]).toContain(join(file, 'data'))
    expect(code).toBe(1)
  })

  test('where there can be no data folder', async () => {
    const nowhere = join(aFolder(), 'link')
    symlinkSync(join(aFolder(), 'missing'), nowhere)
    for (const folder of [nowhere, ...(existsSync('/proc') ? ['/proc/nope'] : [])]) {
      const { code, lines } = await refusal({ DATA_DIR: join(folder, 'data') })
      expect(lines).toEqual([
        expect.stringMatching(`^TRAXX cannot start: The data folder ${folder}.*E[A-Z]+.*DATA_DIR`),
      ])
      expect(code).toBe(1)
    }
  })

  test('where the data folder was made by a newer PostgreSQL, of which nothing is changed', async () => {
    const dataDir = aFolder()
    const data = join(dataDir, 'postgres', 'data')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'PG_VERSION'), '19\n')
    const { code, lines } = await refusal({ DATA_DIR: dataDir })
    expect(lines).toEqual([expect.stringMatching(/^TRAXX cannot start: .*19/)])
    expect(readdirSync(data)).toEqual(['PG_VERSION'])
    expect(code).toBe(1)
  })

  test('where production lacks its keys, naming all of them', async () => {
    const { code, lines } = await refusal({ NODE_ENV: 'production' })
    expect(lines).toHaveLength(1)
    for (const name of ['DATABASE_URL', 'CLERK_SECRET_KEY', 'STRIPE_SECRET_KEY', 'SMTP_URL', 'PUBLIC_URL']) {
      expect(lines[0]).toContain(name)
    }
    expect(code).toBe(1)
  })
})

test('a port in use is one clear line, and what is stored is unharmed', async () => {
  const free = await freePort()
  const port = String(free)
  const occupant = createServer().listen(free, 'localhost')
  await once(occupant, 'listening')
  const dataDir = join(aFolder(), 'data')
  const refused = startApp({ PORT: port, DATA_DIR: dataDir })
  expect(await refused.ended).toBe(1)
  expect(refused.output().trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is in use`)])
  occupant.close()
  const app = startApp({ PORT: port, DATA_DIR: dataDir })
  await app.says('TRAXX is ready at')
  app.child.kill('SIGINT')
  expect(await app.ended).toBe(0)
})
