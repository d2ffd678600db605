import { describe, expect, test } from 'vitest'
import { BulkUpload } from '#shared/schemas/imports.ts'
import { bearer, call, useApp } from '#support/app.ts'
import { upload } from '#support/upload.ts'
import { aContract, aCustomer, anAccount, useWorld } from '#support/world.ts'

const world = useWorld()
const server = useApp(world)
const contract = {
  amount: 250.5,
  startDate: '2026-01-01',
  renewalCycle: 'YEARLY',
  renewalDate: '2027-01-01',
  status: 'ACTIVE',
}

describe('customers', () => {
  test('are created, read, changed and deleted by the calls of section 7', async () => {
    const headers = bearer(await anAccount(world))
    const created = await call(server, { method: 'POST', url: '/customers', headers, payload: { name: 'Acme' } })
    expect(created).toMatchObject({ status: 201, body: { name: 'Acme', sendNotifications: true } })
    const url = `/customers/${created.body.id}`
    expect(await call(server, { url, headers })).toMatchObject({ status: 200, body: created.body })
    const changed = await call(server, { method: 'PUT', url, headers, payload: { phone: '555' } })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Acme', phone: '555' } })
    expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204, body: undefined })
    expect(await call(server, { url, headers })).toMatchObject({
      status: 404,
      body: { error: 'Customer not found', refusal: 'CUSTOMER_NOT_FOUND' },
    })
  })

  test('need no more than what the dashboard sends, and keep what the customers page sends', async () => {
    const headers = bearer(await anAccount(world))
    const add = (payload: object) => call(server, { method: 'POST', url: '/customers', headers, payload })
    const four = { name: 'Acme', address: '1 Main Street', phone: '555', customerNumber: 'C-1' }
    const sparse = await add(four)
    expect(sparse.body).toEqual({
      ...four,
      id: expect.any(Number),
      email: null,
      contactName: null,
      contactRole: null,
      sendNotifications: true,
      tags: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      version: 1,
      mailClosed: null,
    })
    const six = { ...four, customerNumber: 'C-2', email: 'a@example.com', sendNotifications: false }
    expect((await add(six)).body).toMatchObject(six)
    expect((await call(server, { url: '/customers', headers })).body).toHaveLength(2)
  })

  test('a name is on one line, and without control characters', async () => {
    const headers = bearer(await anAccount(world))
    const add = (name: string) => call(server, { method: 'POST', url: '/customers', headers, payload: { name } })
    const added = await add('Acme\r\nBcc: victim@example.com')
    expect(added).toMatchObject({ status: 201, body: { name: 'Acme Bcc: victim@example.com' } })
    const reason = 'Must not contain control characters'
    expect(await add('Ac\u0007me')).toMatchObject({ status: 400, body: { error: reason, fields: { name: reason } } })
    const change = {
      method: 'PUT',
      url: `/customers/${added.body.id}`,
      headers,
      payload: { name: 'Acme\nLtd' },
    } as const
    expect(await call(server, change)).toMatchObject({ status: 200, body: { name: 'Acme Ltd' } })
  })

  test('are a plain array: all of them without a limit, a page with the next address in Link with one', async () => {
    const request = await anAccount(world)
    for (const name of ['A', 'B', 'C']) await aCustomer(request, { name })
    const headers = bearer(request)
    const names = (rows: { name: string }[]) => rows.map((row) => row.name)
    expect(names((await call(server, { url: '/customers', headers })).body)).toEqual(['A', 'B', 'C'])
    const page = await call(server, { url: '/customers?limit=2&direction=desc', headers })
    expect(names(page.body)).toEqual(['C', 'B'])
    const next = String(page.headers.link).match(/^<([^>]+)>; rel="next"$/)?.[1]
    const last = await call(server, { url: String(next), headers })
    expect(names(last.body)).toEqual(['A'])
    expect(last.headers.link).toBeUndefined()
  })

  test('name no next page after a last one that is exactly full', async () => {
    const request = await anAccount(world)
    for (const name of ['A', 'B', 'C', 'D']) await aCustomer(request, { name })
    const headers = bearer(request)
    expect((await call(server, { url: '/customers?limit=4', headers })).headers.link).toBeUndefined()
    const first = await call(server, { url: '/customers?limit=2', headers })
    const next = String(first.headers.link).match(/^<([^>]+)>; rel="next"$/)?.[1]
    const last = await call(server, { url: String(next), headers })
    expect(last.body).toHaveLength(2)
    expect(last.headers.link).toBeUndefined()
  })

  test.each(['limit=%20', 'limit=', 'limit=%09'])('are refused with a blank number: %s', async (query) => {
    const headers = bearer(await anAccount(world))
    const answer = await call(server, { url: `/customers?${query}`, headers })
    expect(answer).toMatchObject({ status: 400, body: { error: 'Must be a number', refusal: 'INPUT_INVALID' } })
  })

  test('tell how many there are in all, whatever part was asked for', async () => {
    const request = await anAccount(world)
    for (const name of ['Aa', 'Ab', 'Bb'])
      await aContract(request, { customerId: (await aCustomer(request, { name })).id })
    const headers = bearer(request)
    const total = async (url: string) => (await call(server, { url, headers })).headers['x-total-count']
    for (const path of ['/customers', '/contracts']) {
      expect(await total(path)).toBe('3')
      expect(await total(`${path}?limit=2`)).toBe('3')
      expect(await total(`${path}?limit=1&search=a`)).toBe('2')
      const head = await server.app.inject({ method: 'HEAD', url: `${path}?limit=1&search=a`, headers })
      expect(head.headers['x-total-count']).toBe('2')
    }
  })

  test('without a limit come whole, also where they fill several batches', async () => {
    const request = await anAccount(world)
    await world.db.writeAs(request.caller?.id ?? 0, (em) =>
      em.execute(`insert into customers (account_id, name) select ?, 'N' || n from generate_series(1, 2500) n`, [
        request.caller?.id,
      ]),
    )
    const { body } = await call(server, { url: '/customers', headers: bearer(request) })
    expect(new Set(body.map((row: { id: number }) => row.id)).size).toBe(2500)
  })
})

describe('contracts', () => {
  test('are created, read, changed and deleted by the calls of section 7', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { id: customerId } = await aCustomer(request)
    const payload = { ...contract, customerId }
    const created = await call(server, { method: 'POST', url: '/contracts', headers, payload })
    expect(created).toMatchObject({ status: 201, body: { amount: 250.5, status: 'active', renewalCycle: 'yearly' } })
    const url = `/contracts/${created.body.id}`
    const changed = await call(server, { method: 'PUT', url, headers, payload: { ...payload, amount: 300 } })
    expect(changed).toMatchObject({ status: 200, body: { amount: 300 } })
    expect((await call(server, { url: '/contracts', headers })).body).toEqual([changed.body])
    expect(await call(server, { url: `${url}/pdf`, headers })).toMatchObject({ status: 404 })
    expect(await call(server, { method: 'DELETE', url, headers })).toMatchObject({ status: 204 })
    expect(await call(server, { url, headers })).toMatchObject({ status: 404, body: { error: 'Contract not found' } })
  })

  test('are a plain array, filtered by status and cycle in any case, with the next page in Link', async () => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { id: customerId } = await aCustomer(request)
    for (const amount of [1, 2, 3]) await aContract(request, { customerId, amount, renewalCycle: 'yearly' })
    await aContract(request, { customerId, status: 'pending' })
    const page = await call(server, { url: '/contracts?status=ACTIVE&cycle=Yearly&limit=2', headers })
    expect(page.body).toMatchObject([{ amount: 1 }, { amount: 2 }])
    const next = String(page.headers.link).match(/^<([^>]+)>; rel="next"$/)?.[1]
    const last = await call(server, { url: String(next), headers })
    expect(last.body).toMatchObject([{ amount: 3 }])
    expect(last.headers.link).toBeUndefined()
  })

  test('have the fields of section 3, with the address of the PDF where there is one', async () => {
    const request = await anAccount(world)
    const { id: customerId } = await aCustomer(request, { name: 'Acme' })
    const payload = { ...contract, customerId }
    const created = await call(server, { method: 'POST', url: '/contracts', headers: bearer(request), payload })
    expect(created.body).toEqual({
      ...payload,
      id: expect.any(Number),
      customerName: 'Acme',
      renewalCycle: 'yearly',
      status: 'active',
      pdfPath: null,
      title: null,
      reference: null,
      renews: 'by_agreement',
      noticePeriod: null,
      noticeDate: null,
      term: 1,
      termStart: '2026-01-01',
      anchorDate: '2026-01-01',
      nextAmount: null,
      nextCycle: null,
      endsOn: null,
      tags: [],
      version: 1,
      daysLeft: expect.any(Number),
    })
  })

  test('a wrong field is 400 with the first text in error and all of them in fields', async () => {
    const headers = bearer(await anAccount(world))
    const payload = { ...contract, customerId: 1, amount: -5, startDate: '' }
    expect(await call(server, { method: 'POST', url: '/contracts', headers, payload })).toMatchObject({
      status: 400,
      body: {
        error: 'Amount must be a positive number',
        fields: { amount: 'Amount must be a positive number', startDate: 'All fields are required' },
      },
    })
  })
})

describe('wrong input is said in words of our own', () => {
  test.each([
    ['limit=0', 'Must be between 1 and 1000'],
    ['limit=1001', 'Must be between 1 and 1000'],
    ['limit=', 'Must be a number'],
    ['limit=ten', 'Must be a number'],
    ['limit=0x10', 'Must be a number'],
    ['limit=1e2', 'Must be a number'],
    ['limit=1.5', 'Must be a whole number'],
    ['sort=foo', 'Must be one of added, openFirst, amount, startDate, renewalDate'],
    ['direction=up', 'Must be one of asc, desc'],
    ['expiring=maybe', 'Must be true or false'],
    ['overdue=maybe', 'Must be true or false'],
    ['noPdf=2', 'Must be true or false'],
    ['renewsWithin=367', 'Must be between 0 and 366'],
    ['startedIn=2026-13', 'Must be a month as YYYY-MM'],
  ])('/contracts?%s is 400: %s', async (query, error) => {
    const headers = bearer(await anAccount(world))
    const fields = { [String(query.split('=')[0])]: error }
    const answer = await call(server, { url: `/contracts?${query}`, headers })
    expect(answer).toMatchObject({ status: 400, body: { error, fields } })
  })

  test('an answer to an import that is neither true nor false', () => {
    expect(BulkUpload.safeParse({ again: 'maybe' }).error?.issues[0]?.message).toBe('Must be true or false')
  })

  test('a contract without any field says of each that it is required', async () => {
    const headers = bearer(await anAccount(world))
    const { body } = await call(server, { method: 'POST', url: '/contracts', headers, payload: {} })
    const names = ['customerId', 'amount', 'startDate', 'renewalCycle', 'renewalDate', 'status']
    expect(body.fields).toEqual(Object.fromEntries(names.map((name) => [name, 'All fields are required'])))
  })

  test('a renewal date before the stored start date is told by its field', async () => {
    const request = await anAccount(world)
    const { id } = await aContract(request)
    const change = { method: 'PUT', url: `/contracts/${id}`, payload: { renewalDate: '2000-01-01' } } as const
    const error = 'Renewal date must not be before the start date'
    expect(await call(server, { ...change, headers: bearer(request) })).toMatchObject({
      status: 400,
      body: { error, fields: { renewalDate: error } },
    })
  })

  test('a customer cannot lose the name', async () => {
    const request = await anAccount(world)
    const { id } = await aCustomer(request)
    const change = { method: 'PUT', url: `/customers/${id}`, payload: { name: null } } as const
    const error = 'Customer name is required'
    expect(await call(server, { ...change, headers: bearer(request) })).toMatchObject({
      status: 400,
      body: { error, fields: { name: error } },
    })
  })
})

test('contracts are listed as added without a sort, and by each filter of the address', async () => {
  const request = await anAccount(world)
  const headers = bearer(request)
  for (const [amount, renewalDate] of [
    [1, '2026-04-01'],
    [2, '2026-03-09'],
    [3, '2026-03-12'],
  ] as const)
    await aContract(request, { amount, renewalDate })
  const amounts = async (query: string) => {
    const { body } = await call(server, { url: `/contracts${query}`, headers })
    return body.map((contract: { amount: number }) => contract.amount)
  }
  expect(await amounts('')).toEqual([1, 2, 3])
  expect(await amounts('?overdue=true')).toEqual([2])
  expect(await amounts('?renewsWithin=30&sort=renewalDate')).toEqual([3, 1])
  expect(await amounts('?noEmail=true&noPdf=true&startedIn=1999-12')).toEqual([])
})

test('customers are listed by each filter of the address, and a wrong one is refused', async () => {
  const request = await anAccount(world)
  const { customerId } = await aContract(request)
  await aCustomer(request, { name: 'Without' })
  const headers = bearer(request)
  const ask = (query: string) => call(server, { url: `/customers?${query}`, headers })
  const ids = async (query: string) => (await ask(query)).body.map(({ id }: { id: number }) => id)
  expect(await ids('withContracts=true')).toEqual([customerId])
  expect(await ids('withContracts=true&addedIn=1999-12')).toEqual([])
  expect((await ask('addedIn=1999-12')).headers['x-total-count']).toBe('0')
  expect((await ask('withContracts=true&limit=1')).headers['x-total-count']).toBe('1')
  for (const [query, error] of [
    ['addedIn=2026-13', 'Must be a month as YYYY-MM'],
    ['withContracts=maybe', 'Must be true or false'],
  ] as const)
    expect(await ask(query)).toMatchObject({ status: 400, body: { error } })
})

test('the dashboard answers its figures and lists', async () => {
  const request = await anAccount(world)
  const { id: customerId } = await aCustomer(request, { name: 'Acme' })
  await aContract(request, { customerId, renewalDate: '2026-03-15' })
  const { status, body } = await call(server, { url: '/dashboard', headers: bearer(request) })
  expect(status).toBe(200)
  const expiringContracts = [{ daysLeft: 5, customerName: 'Acme', clientName: 'Acme' }]
  expect(body).toMatchObject({ totalContracts: 1, expiringContracts, overdueContracts: [] })
})

describe('who may call', () => {
  const paths = [
    '/customers',
    '/contracts',
    '/dashboard',
    '/notifications',
    '/notifications/unread-count',
    '/notifications/settings',
    '/notifications/texts',
    '/reminders',
    '/reminders/coming',
    '/contracts/1',
  ]

  test.each(paths)('%s without a token is 401', async (url) => {
    expect(await call(server, { url })).toMatchObject({
      status: 401,
      body: { error: 'You are not logged in', refusal: 'NOT_SIGNED_IN' },
    })
  })

  test.each(paths)('%s without a subscription is 402', async (url) => {
    const headers = bearer(await anAccount(world, { status: null }))
    expect(await call(server, { url, headers })).toMatchObject({ status: 402 })
  })

  test.each([
    ['POST', '/customers'],
    ['PUT', '/customers/abc'],
    ['DELETE', '/contracts/abc'],
    ['POST', '/contracts'],
    ['PUT', '/notifications/abc/read'],
    ['PUT', '/notifications/settings'],
    ['PUT', '/notifications/texts/reminder'],
    ['DELETE', '/notifications/texts/reminder'],
    ['POST', '/notifications/texts/reminder/test'],
    ['POST', '/reminders/skip'],
  ] as const)('%s %s without a token is 401, whatever the body', async (method, url) => {
    const headers = { 'content-type': 'application/json' }
    expect(await call(server, { method, url, headers, payload: '{"name":' })).toMatchObject({ status: 401 })
    const unpaid = { ...headers, ...bearer(await anAccount(world, { status: null })) }
    expect(await call(server, { method, url, headers: unpaid, payload: '{"name":' })).toMatchObject({ status: 402 })
  })

  test('an unpaid subscription reads but does not write', async () => {
    const headers = bearer(await anAccount(world, { status: 'unpaid' }))
    expect(await call(server, { url: '/customers', headers })).toMatchObject({ status: 200, body: [] })
    const writing = await call(server, { method: 'POST', url: '/customers', headers, payload: { name: 'A' } })
    expect(writing).toMatchObject({ status: 402, body: { error: expect.stringContaining('read-only') } })
  })
})

describe('bad requests', () => {
  const post = { method: 'POST', url: '/customers' } as const
  const JSON_TYPE = 'application/json'

  test.each([
    ['not JSON', { payload: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['another type', { payload: '<a/>', headers: { 'content-type': 'text/xml' } }, 415],
    ['an empty JSON body', { payload: '', headers: { 'content-type': 'application/json' } }, 400],
    [
      'a huge body',
      { payload: JSON.stringify({ name: 'x'.repeat(2_000_000) }), headers: { 'content-type': 'application/json' } },
      413,
    ],
    ['a body that is an array', { payload: '[]', headers: { 'content-type': 'application/json' } }, 400],
    [
      'half a character in a text',
      { payload: '{"name":"a\\ud800"}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['a NUL in a text', { payload: '{"name":"a\\u0000"}', headers: { 'content-type': 'application/json' } }, 400],
    ['a compressed body', { payload: '{}', headers: { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' } }, 415],
    ['a body in UTF-16', { payload: '{}', headers: { 'content-type': `${JSON_TYPE}; charset=utf-16` } }, 415],
  ])('%s is refused with a text', async (_what, options, status) => {
    const auth = bearer(await anAccount(world))
    const answer = await call(server, { ...post, ...options, headers: { ...options.headers, ...auth } })
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  test.each(['application/json; charset=UTF-8', 'application/json;charset="utf-8"'])('%s is read', async (type) => {
    const headers = { ...bearer(await anAccount(world)), 'content-type': type, 'content-encoding': 'identity' }
    expect(await call(server, { ...post, payload: '{"name":"Zoë"}', headers })).toMatchObject({
      status: 201,
      body: { name: 'Zoë' },
    })
  })

  test.each(['abc', '0', '-1', '1.5', '1e0', '99999999999'])('/customers/%s is 400', async (id) => {
    const headers = bearer(await anAccount(world))
    expect(await call(server, { url: `/customers/${id}`, headers })).toMatchObject({ status: 400 })
  })

  test.each([
    ['startDate', ['abc', 1]],
    ['startDate', ['2026-02-31', 1]],
    ['amount', ['x', 1]],
    ['amount', ['99999999999999999999999', 1]],
    ['renewalDate', ['2026-01-01', 99_999_999_999]],
  ])('a made-up cursor of a list by %s is 400: %o', async (sort, place) => {
    const headers = bearer(await anAccount(world))
    const cursor = Buffer.from(JSON.stringify([`contracts.${sort} asc`, ...place])).toString('base64url')
    expect(await call(server, { url: `/contracts?sort=${sort}&cursor=${cursor}`, headers })).toMatchObject({
      status: 400,
      body: { error: 'The cursor is not valid for this list and its order' },
    })
  })

  test('what stands in the address of a write is not its input', async () => {
    const headers = bearer(await anAccount(world))
    const answer = await call(server, { method: 'POST', url: '/customers?name=Query', headers, payload: {} })
    const error = 'Unknown parameter "name". Allowed: none'
    expect(answer).toMatchObject({ status: 400, body: { error, fields: { name: error } } })
  })

  test.each([[[[42]]], [true], ['1e0'], [' 42'], ['42'], [4.2]])(
    '%o is no customer of a contract',
    async (customerId) => {
      const headers = bearer(await anAccount(world))
      const payload = { ...contract, customerId }
      const error = 'Customer ID must be a whole number'
      expect(await call(server, { method: 'POST', url: '/contracts', headers, payload })).toMatchObject({
        status: 400,
        body: { error, fields: { customerId: error } },
      })
    },
  )

  test.each([
    ['POST', '/customers', 'text/plain'],
    ['POST', '/customers', 'text/plain; charset=utf-8'],
    ['PUT', '/customers/1', 'text/plain'],
    ['POST', '/contracts', 'application/xml'],
    ['POST', '/contracts', 'application/x-www-form-urlencoded'],
  ] as const)('%s %s as %s is 415', async (method, url, type) => {
    const headers = { ...bearer(await anAccount(world)), 'content-type': type }
    expect(await call(server, { method, url, headers, payload: '{"name":"Acme"}' })).toMatchObject({
      status: 415,
      body: { refusal: 'BODY_TYPE_UNSUPPORTED' },
    })
  })

  test('an address that cannot be read is refused in our words', async () => {
    expect(await call(server, { url: '/%zz' })).toMatchObject({
      status: 404,
      body: { error: 'Nothing was found at this address' },
    })
  })

  test('an unknown path is 404', async () => {
    const headers = expect.objectContaining({ 'cache-control': 'no-store' })
    const answer = await call(server, { url: '/nowhere' })
    expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) }, headers })
  })
})

test('answers to programs may do nothing where they are shown as a page', async () => {
  const headers = bearer(await anAccount(world))
  for (const url of ['/customers', '/dashboard', '/contracts/1', '/trpc/dashboard.get', '/trpc/nothing']) {
    const answer = await call(server, { url, headers: { ...headers, origin: 'https://evil.test' } })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answer.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
    })
  }
})

test.each(['/%zz', `/customers/${'x'.repeat(6000)}`])(
  'an address that no route is looked up for, such as %.20s, is refused with the same headers',
  async (url) => {
    expect(await call(server, { url })).toMatchObject({
      status: 404,
      headers: {
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
    })
  },
)

test.each([
  ['GET', '/customers?search[a]=1', 'search'],
  ['GET', '/contracts?status[]=active&limit=5', 'status'],
  ['GET', '/contracts?search%5Ba%5D=1', 'search'],
  ['GET', '/reminders?[x]=1', ''],
  ['GET', '/contracts/export.csv?search[a]=1', 'search'],
  ['POST', '/customers/bulk-upload?again[x]=yes', 'again'],
  ['GET', '/account?limit[a]=1', 'limit'],
  ['DELETE', '/account?confirm[a]=1', 'confirm'],
  ['GET', '/api-keys?limit[]=1', 'limit'],
  ['GET', '/account/company?name[a]=1', 'name'],
  ['GET', '/stripe/subscription-status/user_1?userId[a]=1', 'userId'],
  ['POST', '/stripe/create-portal-session?userId[a]=1', 'userId'],
  ['POST', '/stripe/webhook?type[a]=1', 'type'],
] as const)('%s %s is refused by the name of its parameter', async (method, url, field) => {
  const headers = bearer(await anAccount(world))
  expect(await call(server, { method, url, headers })).toMatchObject({
    status: 400,
    body: { error: 'Must be a single value', fields: { [field]: 'Must be a single value' } },
  })
})

test.each(['/unsubscribe/x', '/report/x', '/contact', '/customers', '/stripe/webhook', '/trpc/customers.create'])(
  'a body for %s whose type is no type is refused, and no fault',
  async (url) => {
    for (const type of ['a', 'a/', ';', '/', 'multipart/form-data', 'a; boundary=']) {
      const headers = { ...bearer(await anAccount(world)), 'content-type': type }
      const { statusCode } = await server.app.inject({ method: 'POST', url, headers, payload: 'a=b' })
      expect([type, statusCode >= 400 && statusCode < 500]).toEqual([type, true])
    }
  },
)

test.each(['/', '/sign-in', '/customers', '/trpc/dashboard.get', '/nowhere', '/unsubscribe/x'])(
  '%s may use no sensor, camera or payment of the device, and be framed by nobody',
  async (url) => {
    const { headers } = await server.app.inject({ url, headers: { accept: 'text/html' } })
    const denied = String(headers['permissions-policy']).split(', ')
    expect(denied).toEqual(expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'payment=()']))
    for (const feature of denied) expect(feature).toMatch(/^[a-z-]+=\(\)$/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("base-uri 'none'")
    // Here people come by http.
    expect(headers['strict-transport-security']).toBeUndefined()
  },
)

test.each(['\u200b', '\u2060\u200d', '\u00ad', '\u3164'])(
  'a name of nothing that can be seen is refused: %j',
  async (name) => {
    const request = await anAccount(world)
    const headers = bearer(request)
    const { id } = await aCustomer(request)
    const post = (url: string, payload: object) => call(server, { method: 'POST', url, headers, payload })
    const required = { status: 400, body: { fields: { name: expect.stringContaining('required') } } }
    expect(await post('/customers', { name })).toMatchObject(required)
    expect(await call(server, { method: 'PUT', url: `/customers/${id}`, headers, payload: { name } })).toMatchObject(
      required,
    )
    expect(await post('/api-keys', { name })).toMatchObject(required)
    const company = { name, replyTo: null, postalAddress: null }
    expect((await call(server, { method: 'PUT', url: '/account/company', headers, payload: company })).status).toBe(400)
    const file = `Name\n${name}\nHarbor Bakery\n`
    const { body } = await upload(server, request, { url: '/customers/bulk-upload', content: file })
    expect(body).toMatchObject({ created: 1, failed: 1 })
  },
)

test('a screen runs scripts of our own origin and those with its nonce, which is another every time', async () => {
  const policy = async () =>
    String(
      (await server.app.inject({ url: '/contracts', headers: { accept: 'text/html' } })).headers[
        'content-security-policy'
      ],
    )
  expect(await policy()).toMatch(/script-src 'self' 'nonce-[\w+/]{22}=='/)
  expect(await policy()).not.toBe(await policy())
})

describe('paths that are a screen as well', () => {
  test.each([
    '/dashboard',
    '/customers',
    '/contracts',
    '/notifications',
    '/notifications/settings',
    '/notifications/texts',
    '/reminders',
  ])('%s shows browsers the screen', async (url) => {
    const screen = await server.app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect(screen.statusCode).toBe(200)
    expect(screen.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: expect.stringMatching(/^Accept\b/),
    })
    const answer = await server.app.inject({ url, headers: { accept: 'application/json' } })
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept' })
  })

  test.each(['/contracts/', '/customers/?search=a', '/dashboard?'])('%s is the same address', async (url) => {
    const screen = await server.app.inject({ url, headers: { accept: 'text/html' } })
    expect(screen.body).toContain('<title>index.html</title>')
  })

  test('who asks whether a screen is there is told what a browser would be', async () => {
    const headers = { accept: 'text/html' }
    for (const url of ['/contracts', '/profile']) {
      const answer = await server.app.inject({ method: 'HEAD', url, headers })
      expect(answer.statusCode, url).toBe(200)
      expect(answer.headers['content-type']).toContain('text/html')
    }
  })

  test('any other path shows browsers the screen', async () => {
    const screen = await server.app.inject({ url: '/sign-in', headers: { accept: 'text/html' } })
    expect(screen.body).toContain('<title>index.html</title>')
  })
})

test('the landing page links a signed-in visitor to the dashboard, and sends one without a subscription to checkout', async () => {
  const visit = async (status: string | null) => {
    const { caller } = await anAccount(world, { status })
    return server.app.inject({ url: '/', headers: { cookie: `a=b; __session=session:${caller?.clerkUserId}` } })
  }
  expect((await server.app.inject({ url: '/' })).body).toContain('href="/sign-in"')
  expect((await visit('active')).body).toContain('href="/dashboard"')
  expect((await visit(null)).headers.location).toBe('/checkout?trial=true')
})

test('/healthz answers once the server listens, /readyz once the database is migrated', async () => {
  expect(await call(server, { url: '/healthz' })).toMatchObject({ status: 200 })
  expect(await call(server, { url: '/readyz' })).toMatchObject({ status: 200 })
})
