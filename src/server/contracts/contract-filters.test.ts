import { expect, test } from 'vitest'
import { addDays } from '#shared/domain/day.ts'
import { RENEWS } from '#shared/domain/renews.ts'
import { tagKey } from '#shared/domain/tags.ts'
import { CheckedContractFilter, ListContracts, type ContractFilter } from '#shared/schemas/filters.ts'
import { randomFrom } from '#support/random.ts'
import { aContract, aCustomer, anAccount, requireReader, TODAY, useWorld } from '#support/world.ts'
import type { ContractView } from './contract.view.ts'
import { listContracts } from './contracts.service.ts'

const world = useWorld()
const TAGS = ['VIP', 'North', 'Café', 'Late']
type Random = ReturnType<typeof randomFrom>

const someTags = (random: Random) => TAGS.filter(() => random.int(0, 2) === 0)

/** Any of the filters, none of them most of the time. */
function anyFilter(random: Random, customerIds: number[]): Partial<ContractFilter> {
  const chosen = {
    customerId: random.pick(customerIds),
    renews: random.pick([...RENEWS]),
    renewalFrom: addDays(TODAY, random.int(-40, 40)),
    renewalThrough: addDays(TODAY, random.int(-40, 40)),
    amountFrom: random.int(0, 6) / 2,
    amountThrough: random.int(0, 6) / 2,
    tag: someTags(random).join(',').toLowerCase(),
    noPdf: true,
    status: 'active',
  } as const
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== '' && random.int(0, 3) === 0))
}

/** The same filter in plain words. */
function matches(contract: ContractView, filter: Partial<ContractFilter>): boolean {
  const keys = contract.tags.map(tagKey)
  const { amountFrom = 0, amountThrough = Infinity, renewalFrom = '', renewalThrough = '9' } = filter
  return (
    (filter.customerId === undefined || contract.customerId === filter.customerId) &&
    (filter.renews === undefined || contract.renews === filter.renews) &&
    (filter.status === undefined || contract.status === filter.status) &&
    contract.renewalDate >= renewalFrom &&
    contract.renewalDate <= renewalThrough &&
    contract.amount >= amountFrom &&
    contract.amount <= amountThrough &&
    (filter.tag === undefined || filter.tag.split(',').every((tag) => keys.includes(tagKey(tag))))
  )
}

test.each(Array.from({ length: 6 }, (_, seed) => seed + 1))(
  'the list has exactly the contracts that match every filter (%i)',
  async (seed) => {
    const random = randomFrom(seed)
    const request = await anAccount(world)
    const customerIds = [(await aCustomer(request)).id, (await aCustomer(request, { name: 'Mill' })).id]
    const contracts: ContractView[] = []
    for (let n = 0; n < 40; n += 1) {
      contracts.push(
        await aContract(request, {
          customerId: random.pick(customerIds),
          amount: random.int(1, 6) / 2,
          startDate: '2020-01-01',
          renewalDate: addDays(TODAY, random.int(-40, 40)),
          renews: random.pick([...RENEWS]),
          status: random.pick(['active', 'pending', 'expired']),
          tags: someTags(random),
        }),
      )
    }
    for (let n = 0; n < 25; n += 1) {
      const filter = anyFilter(random, customerIds)
      const found = await listContracts(requireReader(request), ListContracts.parse({ ...filter, limit: 100 }))
      const expected = contracts.filter((contract) => matches(contract, filter)).map(({ id }) => id)
      expect({ filter, ids: found.rows.map(({ id }) => id) }).toEqual({ filter, ids: expected })
      expect(found.total).toBe(expected.length)
    }
  },
)

test.each([
  [{ renewalFrom: '2026-02-01', renewalThrough: '2026-01-31' }, 'renewalThrough'],
  [{ amountFrom: '2.01', amountThrough: 2 }, 'amountThrough'],
  [{ amountFrom: '1.234' }, 'amountFrom'],
  [{ amountFrom: -1 }, 'amountFrom'],
  [{ renewalFrom: '2026-02-30' }, 'renewalFrom'],
  [{ renews: 'often' }, 'renews'],
  [{ tag: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'tag'],
  [{ tag: [1] }, 'tag'],
])('%j is refused', (filter, field) => {
  const { error } = CheckedContractFilter.safeParse(filter)
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test.each([
  [{ tag: ' vip , ,north ' }, { tag: 'vip,north' }],
  [{ tag: ['vip', 'north'] }, { tag: 'vip,north' }],
  [{ tag: ',' }, {}],
  [
    { amountFrom: '12.50', amountThrough: '12.5' },
    { amountFrom: 12.5, amountThrough: 12.5 },
  ],
])('%j is read as %j', (written, read) => {
  const { direction: _direction, ...filter } = CheckedContractFilter.parse(written)
  expect(filter).toEqual(read)
  expect(CheckedContractFilter.parse(filter)).toEqual(CheckedContractFilter.parse(written))
})
