import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useRefresh } from '#client/api/use-refresh.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { TagFilter } from './tag-filter.tsx'

function Filter() {
  const refresh = useRefresh()
  return (
    <>
      <TagFilter tag={undefined} onChoose={() => undefined} />
      <button type="button" onClick={() => void refresh()}>
        Saved
      </button>
    </>
  )
}

test('offers a tag as soon as a customer or contract has been given it', async () => {
  const tags = [{ name: 'VIP', contracts: 1, customers: 0 }]
  trpcServer({ tags: { list: () => tags } })
  const { user } = renderRouted(<Filter />)
  expect(await screen.findByRole('option', { name: 'VIP' })).toBeInTheDocument()
  tags.push({ name: 'New', contracts: 1, customers: 0 })
  await user.click(screen.getByRole('button', { name: 'Saved' }))
  expect(await screen.findByRole('option', { name: 'New' })).toBeInTheDocument()
})
