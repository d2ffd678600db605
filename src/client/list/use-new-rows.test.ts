import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { START } from './list-position.ts'
import { useNewRows, withNewRows } from './use-new-rows.ts'

test('what was added is remembered, the latest first, until another page or order is shown', () => {
  const { result, rerender } = renderHook((search) => useNewRows(search), { initialProps: { ...START, sort: 'date' } })
  act(() => result.current.onAdded(1))
  act(() => result.current.onAdded(2))
  expect(result.current.ids).toEqual([2, 1])
  rerender({ ...START, sort: 'name' })
  expect(result.current.ids).toEqual([])
})

test('what was added stands above the rows, also where it is one of them, and has gone once it is deleted', () => {
  const added = [
    { data: { id: 9 }, isError: false },
    { data: { id: 2 }, isError: false },
    { data: { id: 8 }, isError: true },
    { data: undefined, isError: false },
  ]
  const onPage = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const shown = withNewRows(onPage, added)
  expect(shown).toEqual([{ id: 9 }, { id: 2 }, { id: 1 }, { id: 3 }])
  // As the page has it, with what is being saved of it.
  expect(shown?.[1]).toBe(onPage[1])
  expect(withNewRows(undefined, added)).toBeUndefined()
})
