import { expect, test, vi } from 'vitest'
import { changedSearch, listInput, pagerOf, positionAt, positionOf, START, type ListPosition } from './list-position.ts'

const shown = { page: 5, first: 'first', last: 'last' }

test('the next page begins after the last row, the previous one ends before the first', () => {
  expect(positionAt(6, shown)).toMatchObject({ page: 6, after: 'last', before: undefined, skip: 0 })
  expect(positionAt(4, shown)).toMatchObject({ page: 4, before: 'first', after: undefined, skip: 0 })
})

test('a page number further on skips the rows between', () => {
  expect(positionAt(7, shown)).toMatchObject({ page: 7, after: 'last', skip: 10 })
  expect(positionAt(3, shown)).toMatchObject({ page: 3, before: 'first', skip: 10 })
})

test('the first page is the beginning of the list, however one gets there', () => {
  expect(positionAt(1, { ...shown, page: 2 })).toEqual(START)
  expect(positionOf({ page: 1, after: 'x', skip: 10 })).toEqual({ page: 1, skip: 0 })
})

test('a page number without a row counts from the beginning, as far as the server skips', () => {
  expect(positionOf({ page: 3, skip: 0 })).toEqual({ page: 3, skip: 20 })
  expect(positionOf({ page: 9000, skip: 0 })).toEqual({ page: 1, skip: 0 })
})

test('the server is asked for the filter and the place, not for the number', () => {
  expect(listInput({ search: 'a', page: 2, after: 'x', skip: 0 })).toEqual({ search: 'a', after: 'x', skip: 0 })
})

test('pages of another size are skipped and counted by that size', () => {
  expect(positionOf({ page: 3, skip: 0, size: 50 })).toEqual({ page: 3, skip: 100 })
  expect(positionOf({ page: 13, skip: 0, size: 50 })).toEqual({ page: 1, skip: 0 })
  expect(listInput({ search: 'a', page: 3, skip: 0, size: 25 })).toEqual({ search: 'a', skip: 50, limit: 25 })
  const onPlace = vi.fn()
  const pager = pagerOf(
    { total: 340, rows: Array(100), first: 'a', last: 'b' },
    { page: 2, skip: 0, size: 100 },
    onPlace,
  )
  expect(pager.range).toEqual({ from: 101, to: 200, total: 340 })
  expect(pager.pages.count).toBe(4)
  pager.pages.onPage(4)
  expect(onPlace).toHaveBeenCalledExactlyOnceWith({ ...START, page: 4, after: 'b', skip: 100 })
})

test('what lies open over a list is no part of the question', () => {
  expect(listInput({ page: 1, skip: 0, open: 7 })).toEqual({ skip: 0 })
})

test('the pager counts rows and pages', () => {
  const list = { total: 34, rows: [1, 2, 3, 4], first: 'a', last: 'b' }
  const pager = pagerOf(list, { page: 4, after: 'x', skip: 0 }, vi.fn())
  expect(pager.range).toEqual({ from: 31, to: 34, total: 34 })
  expect(pager.pages).toMatchObject({ current: 4, count: 4 })
  expect(pager.onNext).toBeUndefined()
  expect(pager.onPrevious).toBeDefined()
})

test('while another page is on its way the pager counts from the beginning', () => {
  const list = { total: 340, rows: [1], first: null, last: null }
  const onPlace = vi.fn()
  pagerOf(list, { page: 2, after: 'x', skip: 0 }, onPlace).onNext?.()
  expect(onPlace).toHaveBeenCalledExactlyOnceWith({ ...START, page: 3 })
  expect(positionOf({ ...START, page: 3 })).toEqual({ page: 3, skip: 20 })
})

test('that far from the beginning it leads nowhere', () => {
  const list = { total: 9000, rows: [1], first: null, last: null }
  expect(pagerOf(list, { page: 70, after: 'x', skip: 0 }, vi.fn()).onNext).toBeUndefined()
})

test('a place beside a row is kept in its own list alone', () => {
  const place = { page: 3, after: 'x', skip: 10 }
  const listed: ListPosition & { sort: string; open?: number | undefined } = { ...START, sort: 'name', open: 7 }
  expect(changedSearch({ ...listed, page: 2, open: undefined }, listed, place)).toMatchObject({
    sort: 'name',
    ...place,
  })
  const other = { ...listed, sort: 'date' }
  expect(changedSearch(other, listed, place)).toMatchObject({ sort: 'date', page: 3, after: undefined, skip: 0 })
  expect(changedSearch({ ...other, ...place }, listed, { open: undefined })).toMatchObject({ sort: 'date', ...place })
})
