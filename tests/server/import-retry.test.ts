import { describe, expect, test } from 'vitest'
import { bearer, call, useApp } from '#support/app.ts'
import { contractsOf, customersOf, useImports } from '#support/imports.ts'
import { aCustomer, anAccount, requireReader, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const { importCustomers, importContracts } = useImports(server)

const HEAD = 'Customer,Amount,Start Date,Renewal Cycle,Renewal Date'
const row = (name: string, amount = '5.00') => `${name},${amount},2026-01-01,monthly,2026-02-01`
const FILE = [HEAD, row('Known'), row('New One'), row('New One', '6.00'), row('Other', 'x')].join('\n')

const retryOf = (id: number, more = '') => `?createCustomers=true&retryOf=${id}${more}`
const namesOf = (rows: { customerName: string }[]) => rows.map(({ customerName }) => customerName).toSorted()

describe('an import whose customers are missing', () => {
  test('counts the rows that creating them would import, and imports those alone when it is retried', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Known' })
    const first = await importContracts(request, FILE)
    expect(first.body).toMatchObject({ created: 1, failed: 3, missingCustomers: 2 })
    const second = await importContracts(request, FILE, retryOf(first.body.importId))
    expect(second).toMatchObject({
      status: 200,
      body: { created: 2, failed: 1, createdCustomers: 1, missingCustomers: 0, errors: [{ line: 5, value: 'x' }] },
    })
    expect(namesOf(await contractsOf(request))).toEqual(['Known', 'New One', 'New One'])
    const { body } = await call(server, { url: `/imports/${second.body.importId}`, headers: bearer(request) })
    expect(body).toMatchObject({ rows: 3, created: 2, failed: 1 })
  })

  test('is retried as a whole where nothing was imported, also if its failed rows are not stored', async () => {
    const request = await anAccount(world)
    const first = await importContracts(request, FILE)
    expect(first.body).toMatchObject({ created: 0, failed: 4, missingCustomers: 3 })
    await forgetFailures(request)
    const second = await importContracts(request, FILE, retryOf(first.body.importId))
    expect(second.body).toMatchObject({ created: 3, failed: 1, createdCustomers: 2 })
    expect(await customersOf(request)).toHaveLength(2)
  })

  test('is retried once: the second of two presses is asked, and imports nothing', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Known' })
    const { body } = await importContracts(request, FILE)
    const again = () => importContracts(request, FILE, retryOf(body.importId))
    const answers = await Promise.all([again(), again()])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ question: { parameter: 'again' } })
    expect(await contractsOf(request)).toHaveLength(3)
  })

  test('is retried also where it is so large that a thread reads it', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Known' })
    const notes = 'x'.repeat(150_000)
    const wrong = Array.from({ length: 14 }, () => `${row('New One', 'x')},${notes}`)
    const file = [`${HEAD},Notes`, `${row('Known')},`, ...wrong, `${row('New One')},`].join('\n')
    const first = await importContracts(request, file)
    expect(first.body).toMatchObject({ created: 1, failed: 15, missingCustomers: 1 })
    const second = await importContracts(request, file, retryOf(first.body.importId))
    expect(second.body).toMatchObject({ created: 1, createdCustomers: 1, failed: 14 })
  })
})

describe('a retry is refused', () => {
  test('of another account, another file or another kind', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Known' })
    const { body } = await importContracts(request, FILE)
    const stranger = await importContracts(await anAccount(world), FILE, retryOf(body.importId))
    expect(stranger).toMatchObject({ status: 404, body: { error: 'Import not found' } })
    const other = { status: 409, body: { error: 'This is not the file of that import. Choose the same file again' } }
    expect(await importContracts(request, `${FILE}\n`, retryOf(body.importId))).toMatchObject(other)
    expect(await importCustomers(request, FILE, `?retryOf=${body.importId}`)).toMatchObject(other)
  })

  test('where rows were imported and the others are not stored any more, or none failed', async () => {
    const request = await anAccount(world)
    await aCustomer(request, { name: 'Known' })
    const { body } = await importContracts(request, FILE)
    await forgetFailures(request)
    const gone = { error: 'The failed rows of that import are no longer available. Upload a file with only those rows' }
    expect(await importContracts(request, FILE, retryOf(body.importId))).toMatchObject({ status: 409, body: gone })
    const whole = [HEAD, row('Known')].join('\n')
    const { body: done } = await importContracts(request, whole)
    expect(await importContracts(request, whole, retryOf(done.importId))).toMatchObject({ status: 409, body: gone })
    expect(await contractsOf(request)).toHaveLength(2)
  })
})

async function forgetFailures(request: Parameters<typeof requireReader>[0]) {
  const { accountId } = requireReader(request)
  await world.db.writeAs(accountId, async (em) => {
    await em.execute(`delete from import_failures where account_id = ${accountId}`)
    await em.execute(`update imports set failed_kept = 0 where account_id = ${accountId}`)
  })
}
