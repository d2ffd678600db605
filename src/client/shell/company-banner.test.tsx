import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aCompany } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { CompanyBanner } from './company-banner.tsx'

function open(company: ReturnType<typeof aCompany>) {
  const server = trpcServer({ company: { get: () => company } })
  renderRouted(<CompanyBanner />)
  return server
}

test('without a name the banner leads to where it is entered', async () => {
  open(aCompany({ name: null, hasContracts: true }))
  expect(await screen.findByRole('link', { name: 'Enter company name' })).toHaveAttribute('href', '/company')
  expect(screen.getByRole('status')).toHaveTextContent('Messages to your customers are waiting')
})

test('it says where answers go until the reply-to address is confirmed', async () => {
  open(aCompany({ replyTo: 'office@mill.test', isReplyToConfirmed: false }))
  expect(await screen.findByRole('link', { name: 'Confirm address' })).toHaveAttribute('href', '/company')
  expect(screen.getByRole('status')).toHaveTextContent(
    'Until office@mill.test is confirmed, customers’ answers go to owner@mill.test.',
  )
})

test.each([aCompany(), aCompany({ name: null, hasContracts: false })])('else it says nothing: %j', async (company) => {
  const server = open(company)
  await waitFor(() => expect(server.callsOf('company.get')).not.toEqual([]))
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
})
