import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { aContract, aPage } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { CustomerContracts } from './customer-contracts.tsx'

test('the contracts of a customer lead to their pages, and to all of them', async () => {
  const rows = [
    aContract({ id: 1, title: 'Cleaning', status: 'active', renewalDate: toDay('2026-04-01'), endsOn: null }),
    aContract({ id: 2, title: null, reference: 'C-7', status: 'active', endsOn: toDay('2026-04-01') }),
    aContract({ id: 3, title: null, reference: null, status: 'cancelled', startDate: toDay('2026-01-01') }),
  ]
  const server = trpcServer({ contracts: { list: () => ({ ...aPage(rows), total: 12 }) } })
  const { user } = renderRouted(<CustomerContracts customerId={7} />)
  expect(await screen.findByRole('link', { name: 'Cleaning' })).toHaveAttribute('href', '/contracts/1')
  expect(screen.getByRole('link', { name: 'C-7' })).toHaveAttribute('href', '/contracts/2')
  expect(screen.getByRole('link', { name: 'Contract from Jan 1, 2026' })).toHaveAttribute('href', '/contracts/3')
  const renewal = screen.getByText('renews on Apr 1, 2026')
  await user.hover(renewal)
  expect(await screen.findByText('Term 1 began on Jan 15, 2026, yearly.')).toBeVisible()
  await user.hover(screen.getByText('Contracts (12)'))
  const counted = 'All contracts of this customer, open and closed, but for those in the trash'
  expect(await screen.findByText(counted)).toBeVisible()
  expect(screen.getByText(/, ends on Apr 1, 2026$/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Show All 12' })).toHaveAttribute('href', '/contracts?customerId=7')
  expect(server.callsOf('contracts.list')).toMatchObject([{ customerId: 7 }])
})

test('a customer without contracts has none to show', async () => {
  trpcServer({ contracts: { list: () => aPage([]) } })
  renderRouted(<CustomerContracts customerId={7} />)
  expect(await screen.findByText('No contracts yet')).toBeVisible()
})
