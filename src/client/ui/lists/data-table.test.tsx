import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { DataTable, type Column } from './data-table.tsx'

interface Fruit {
  id: number
  name: string
  weight: number
}

const fruits: Fruit[] = [
  { id: 1, name: 'Apple', weight: 150 },
  { id: 2, name: 'Melon', weight: 2000 },
]

const columns: Column<Fruit, 'weight'>[] = [
  { header: 'Name', cell: (fruit) => fruit.name },
  { header: 'Weight', cell: (fruit) => `${fruit.weight} g`, sortBy: 'weight', align: 'right' },
  { header: 'Actions', cell: (fruit) => <button type="button">{`Eat ${fruit.name}`}</button>, unlabelled: true },
]

const basics = { label: 'Fruits', columns, rows: fruits, rowKey: (fruit: Fruit) => fruit.id }

test('a table has a name, headers and a row for everything in it', () => {
  render(<DataTable {...basics} />)
  const table = screen.getByRole('table', { name: 'Fruits' })
  expect(within(table).getAllByRole('columnheader')).toHaveLength(3)
  expect(within(table).getByRole('row', { name: /Melon 2000 g/ })).toBeVisible()
})

test('a header that sorts says so, and which way', async () => {
  const onSort = vi.fn()
  const { user } = render(<DataTable {...basics} sort={{ field: 'weight', direction: 'desc' }} onSort={onSort} />)
  expect(screen.getByRole('columnheader', { name: 'Weight' })).toHaveAttribute('aria-sort', 'descending')
  expect(screen.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort')

  await user.click(screen.getByRole('button', { name: 'Weight' }))
  expect(onSort).toHaveBeenCalledExactlyOnceWith('weight')
})

test('a row opens by a click anywhere on it, and once', async () => {
  const onOpen = vi.fn()
  const { user } = render(<DataTable {...basics} onOpen={onOpen} />)
  await user.click(screen.getByText('2000 g'))
  await user.click(screen.getByText('Apple'))
  expect(onOpen.mock.calls).toEqual([[fruits[1]], [fruits[0]]])
})

test('a row opens by the keyboard from its first cell', async () => {
  const onOpen = vi.fn()
  const { user } = render(<DataTable {...basics} onOpen={onOpen} />)
  await user.tab()
  expect(screen.getByRole('button', { name: 'Apple' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(fruits[0])
})

test('a control inside a row does not open the row', async () => {
  const onOpen = vi.fn()
  const { user } = render(<DataTable {...basics} onOpen={onOpen} />)
  await user.click(screen.getByRole('button', { name: 'Eat Apple' }))
  expect(onOpen).not.toHaveBeenCalled()
})

test('a colored row says in words what its color means', () => {
  const tone = (fruit: Fruit) => (fruit.weight > 1000 ? { color: 'red' as const, text: 'Heavy' } : undefined)
  render(<DataTable {...basics} tone={tone} />)
  expect(screen.getByRole('row', { name: /Melon Heavy/ })).toBeVisible()
  expect(screen.getByRole('row', { name: /Apple/ })).not.toHaveAccessibleName(/Heavy/)
})
