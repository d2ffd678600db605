import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { Pager } from './pager.tsx'

const range = { from: 11, to: 20, total: 1034 }

test('the pager says which rows of how many are shown', () => {
  render(<Pager range={range} onPrevious={vi.fn()} onNext={vi.fn()} />)
  expect(screen.getByText('Showing 11 to 20 of 1,034')).toBeVisible()
})

test('the pager leads to the previous and the next page', async () => {
  const [onPrevious, onNext] = [vi.fn(), vi.fn()]
  const { user } = render(<Pager range={range} onPrevious={onPrevious} onNext={onNext} />)
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await user.click(screen.getByRole('button', { name: 'Previous' }))
  expect([onPrevious, onNext].map((step) => step.mock.calls.length)).toEqual([1, 1])
})

test('there is no page before the first and none after the last', () => {
  render(<Pager range={range} onPrevious={undefined} onNext={undefined} />)
  expect(screen.getByRole('button', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true')
  expect(screen.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true')
})

test.each([
  { current: 1, count: 9, shown: ['1', '2', '3'] },
  { current: 5, count: 9, shown: ['3', '4', '5', '6', '7'] },
  { current: 9, count: 9, shown: ['7', '8', '9'] },
  { current: 1, count: 1, shown: ['1'] },
])('page $current of $count shows the numbers within two of it', ({ current, count, shown }) => {
  render(<Pager range={range} onPrevious={undefined} onNext={vi.fn()} pages={{ current, count, onPage: vi.fn() }} />)
  expect(screen.getAllByRole('button', { name: /^Page/ }).map((button) => button.textContent)).toEqual(shown)
  expect(screen.getByRole('button', { current: 'page' })).toHaveTextContent(String(current))
})

test('a page number leads to its page', async () => {
  const onPage = vi.fn()
  const pages = { current: 5, count: 9, onPage }
  const { user } = render(<Pager range={range} onPrevious={vi.fn()} onNext={vi.fn()} pages={pages} />)
  await user.click(screen.getByRole('button', { name: 'Page 7' }))
  expect(onPage).toHaveBeenCalledExactlyOnceWith(7)
})
