import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { SearchInput } from './search-input.tsx'

interface SearchProps {
  initial?: string
  onSearch: (text: string) => void
}

/** Keeps the value as an address would, and can be changed from elsewhere. */
function Search({ initial = '', onSearch }: SearchProps) {
  const [value, setValue] = useState(initial)
  const search = (text: string) => {
    onSearch(text)
    setValue(text)
  }
  return (
    <>
      <SearchInput label="Search fruits" value={value} onSearch={search} />
      <button type="button" onClick={() => setValue('melon')}>
        Melons only
      </button>
    </>
  )
}

const field = () => screen.getByRole('searchbox', { name: 'Search fruits' })

/** Key after key without a pause, however slow the machine. */
function typeFast(...texts: string[]) {
  for (const value of texts) fireEvent.change(field(), { target: { value } })
}

test('typing searches once, when it pauses', async () => {
  const onSearch = vi.fn()
  render(<Search onSearch={onSearch} />)
  typeFast('app', 'apple', 'apple ')
  await waitFor(() => expect(onSearch).toHaveBeenCalledExactlyOnceWith('apple'))
  expect(field()).toHaveValue('apple ')
})

test('Enter searches at once', () => {
  const onSearch = vi.fn()
  render(<Search onSearch={onSearch} />)
  typeFast('pea', 'pear')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(onSearch).toHaveBeenCalledExactlyOnceWith('pear')
})

test('the clear button empties the field, searches at once and leaves the focus in the field', async () => {
  const onSearch = vi.fn()
  const { user } = render(<Search initial="apple" onSearch={onSearch} />)
  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(onSearch).toHaveBeenCalledExactlyOnceWith('')
  expect(field()).toHaveValue('')
  expect(field()).toHaveFocus()
})

test('a search that is set elsewhere shows in the field, in place of what was being typed', async () => {
  const onSearch = vi.fn()
  const { user } = render(<Search initial="apple" onSearch={onSearch} />)
  await user.type(field(), 's')
  await user.click(screen.getByRole('button', { name: 'Melons only' }))
  expect(field()).toHaveValue('melon')
})
