import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { AppErrorBoundary } from './app-error-boundary.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { StatCard } from './cards/stat-card.tsx'

test('an empty list says why, and what can be done', () => {
  render(<EmptyState title="No fruit found" hint="Try another basket" action={<a href="/market">Buy some</a>} />)
  expect(screen.getByRole('heading', { name: 'No fruit found' })).toBeVisible()
  expect(screen.getByText('Try another basket')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Buy some' })).toBeVisible()
})

test('a failure is read out and can be retried', async () => {
  const onRetry = vi.fn()
  const { user } = render(<ErrorState message="The basket fell" onRetry={onRetry} />)
  expect(screen.getByRole('alert')).toHaveTextContent('The basket fell')
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('a fault in one part leaves the rest standing, and the part can be tried again', async () => {
  vi.mocked(console.error).mockImplementation(() => {})
  const fruit = { rotten: true }
  const { user } = render(
    <>
      <p>Market</p>
      <AppErrorBoundary onReset={() => (fruit.rotten = false)}>
        <Fruit fruit={fruit} />
      </AppErrorBoundary>
    </>,
  )
  expect(screen.getByText('Market')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong')
  vi.mocked(console.error).mockClear()

  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(screen.getByText('A ripe apple')).toBeVisible()
})

function Fruit({ fruit }: { fruit: { rotten: boolean } }) {
  if (fruit.rotten) throw new Error('rotten')
  return 'A ripe apple'
}

test('a figure says its definition on hover and on focus, until Escape', async () => {
  const { user } = render(<StatCard label="Apples" value="12" definition="Everything round and red" />)
  expect(screen.getByRole('group', { name: 'Apples' })).toHaveTextContent('12')
  const explained = screen.getByRole('button', { name: 'What Apples means' })

  await user.hover(explained)
  expect(screen.getByRole('tooltip')).toHaveTextContent('Everything round and red')
  await user.unhover(explained)
  expect(screen.queryByRole('tooltip')).toBeNull()

  await user.tab()
  expect(explained).toHaveFocus()
  expect(explained).toHaveAccessibleDescription('Everything round and red')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('tooltip')).toBeNull()
})

test('a figure on its way has its name already', () => {
  render(<StatCard label="Apples" value={undefined} />)
  expect(screen.getByRole('group', { name: 'Apples' })).toHaveTextContent(/^Apples$/)
})
