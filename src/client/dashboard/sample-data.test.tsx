import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { aDashboard, anImport } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import { DashboardScreen } from './dashboard-screen.tsx'

const EMPTY = aDashboard({ totalContracts: 0, totalCustomers: 0 })
const FILLED = aDashboard({ sampleImportId: 5 })
const acts = {
  onWelcomed: vi.fn(),
  onAddContract: vi.fn(),
  onAddCustomer: vi.fn(),
  onImport: vi.fn(),
  onNameCompany: vi.fn(),
}

function openDashboard(start: typeof EMPTY, imports: NonNullable<FakeAnswers['imports']>) {
  const shown = { dashboard: start }
  const server = trpcServer({ dashboard: { get: () => shown.dashboard }, imports })
  return { shown, ...server, ...renderRouted(<DashboardScreen welcome={false} {...acts} />) }
}

test('sample data is loaded with one click, and the dashboard says that it is that', async () => {
  const { shown, user } = openDashboard(EMPTY, {
    loadSample: () => {
      shown.dashboard = FILLED
      return anImport({ isSample: true })
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Load Sample Data' }))
  expect(await screen.findByText('This is sample data')).toBeVisible()
  expect(screen.getByText('$20,000.00')).toBeVisible()
  expect(screen.queryByRole('region', { name: 'First steps' })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Remove Sample Data' })).toHaveFocus()
})

test('of sample data one row is counted as one', async () => {
  const { shown, user } = openDashboard(FILLED, {
    undo: () => {
      shown.dashboard = EMPTY
      return { removedContracts: 1, removedCustomers: 1, restoredContracts: 0, keptCount: 0, kept: [] }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Remove Sample Data' }))
  const toast = await screen.findByText('The sample data was removed: 1 contract and 1 customer')
  expect(toast.closest('[data-toast]')).toBeVisible()
})

test('sample data is removed with one click, and what stays is named', async () => {
  const { shown, user, callsOf } = openDashboard(FILLED, {
    undo: () => {
      shown.dashboard = EMPTY
      return {
        removedContracts: 21,
        removedCustomers: 9,
        restoredContracts: 0,
        keptCount: 2,
        kept: [
          { kind: 'contract', id: 31, name: 'Bellweather Bakery', reason: 'edited' },
          { kind: 'customer', id: 7, name: 'Bellweather Bakery', reason: 'hasContracts' },
        ],
      }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Remove Sample Data' }))
  const text =
    'The sample data was removed: 21 contracts and 9 customers. Anything you changed or used was kept: Bellweather Bakery'
  expect((await screen.findByText(text)).closest('[data-toast]')).toBeVisible()
  expect(callsOf('imports.undo')).toEqual([{ id: 5 }])
  expect(screen.getByRole('region', { name: 'First steps' })).toBeVisible()
})

test('sample data that is not loaded or not removed says why', async () => {
  const refuse = () => Promise.reject(new AppError('FAULT'))
  const first = openDashboard(EMPTY, { loadSample: refuse })
  await first.user.click(await screen.findByRole('button', { name: 'Load Sample Data' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load the sample data')
  first.unmount()
  const second = openDashboard(FILLED, { undo: refuse })
  await second.user.click(await screen.findByRole('button', { name: 'Remove Sample Data' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to remove the sample data')
})

test('what another tab has loaded or removed meanwhile is shown, and no failure', async () => {
  const { shown, user } = openDashboard(EMPTY, {
    loadSample: () => {
      shown.dashboard = FILLED
      throw new AppError('SAMPLE_DATA_LOADED')
    },
    undo: () => {
      shown.dashboard = EMPTY
      throw new AppError('IMPORT_NOT_FOUND')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Load Sample Data' }))
  await user.click(await screen.findByRole('button', { name: 'Remove Sample Data' }))
  expect(await screen.findByRole('button', { name: 'Load Sample Data' })).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
