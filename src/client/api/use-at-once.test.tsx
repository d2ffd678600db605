import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, test } from 'vitest'
import { renderScreen } from '#support/render-screen.tsx'
import { useAtOnce } from './use-at-once.ts'

interface Row {
  id: number
  name: string
}
interface Renaming {
  id: number
  name: string
  answer: Promise<unknown>
}

const KEY = [['customers'], { type: 'query' }]
const ROWS: Row[] = [
  { id: 1, name: 'one' },
  { id: 2, name: 'two' },
]

interface Handle {
  client: QueryClient
  rename: (renaming: Renaming) => void
}

function Renamer({ onReady }: { onReady: (handle: Handle) => void }) {
  const client = useQueryClient()
  const options = useAtOnce<Row[], Renaming>('customers', renamed, { failure: { failed: 'Refused' } })
  const { mutate } = useMutation({ ...options, mutationFn: ({ answer }: Renaming) => answer })
  useEffect(() => onReady({ client, rename: mutate }), [client, mutate, onReady])
  return null
}

/** Rows that are cached, as a test renames them. */
async function open() {
  const ready = Promise.withResolvers<Handle>()
  renderScreen(<Renamer onReady={ready.resolve} />)
  const { client, rename } = await ready.promise
  client.setQueryData(KEY, ROWS)
  const names = () => (client.getQueryData<Row[]>(KEY) ?? []).map(({ name }) => name).join()
  return { names, rename }
}

function renamed({ id, name }: Renaming) {
  if (name === '') throw new Error('Nobody can foresee this')
  return (rows: Row[]) => rows.map((row) => (row.id === id ? { ...row, name } : row))
}

test.each([
  ['the first', 0],
  ['the second', 1],
])('of two changes under way that are both refused, %s before the other, neither stays', async (_title, first) => {
  const { names, rename } = await open()
  const answers = [Promise.withResolvers(), Promise.withResolvers()] as const
  rename({ id: 1, name: 'ONE', answer: answers[0].promise })
  rename({ id: 2, name: 'TWO', answer: answers[1].promise })
  await waitFor(() => expect(names()).toBe('ONE,TWO'))
  answers[first]?.reject(new Error('no'))
  await waitFor(() => expect(names()).toBe(first === 0 ? 'one,TWO' : 'ONE,two'))
  answers[1 - first]?.reject(new Error('no'))
  await waitFor(() => expect(names()).toBe('one,two'))
})

test('a refusal leaves what was answered meanwhile', async () => {
  const { names, rename } = await open()
  const [slow, fast] = [Promise.withResolvers(), Promise.withResolvers()]
  rename({ id: 1, name: 'ONE', answer: slow.promise })
  rename({ id: 2, name: 'TWO', answer: fast.promise })
  await waitFor(() => expect(names()).toBe('ONE,TWO'))
  fast.resolve({})
  await fast.promise
  slow.reject(new Error('no'))
  expect(await screen.findByText('Refused')).toBeVisible()
  expect(names()).toBe('one,TWO')
})

test('what cannot be foreseen is sent all the same, and later changes are not affected', async () => {
  const { names, rename } = await open()
  rename({ id: 1, name: '', answer: Promise.reject(new Error('no')) })
  expect(await screen.findByText('Refused')).toBeVisible()
  expect(names()).toBe('one,two')
  const answer = Promise.withResolvers()
  rename({ id: 1, name: 'ONE', answer: answer.promise })
  await waitFor(() => expect(names()).toBe('ONE,two'))
  answer.reject(new Error('no'))
  await waitFor(() => expect(names()).toBe('one,two'))
})
