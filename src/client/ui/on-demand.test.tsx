import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { onDemand, whenButtonNears } from './on-demand.tsx'

const Greeting = ({ name }: { name: string }) => <p>{`Hello ${name}`}</p>

test('it is fetched when it is wanted, and not before', async () => {
  const load = vi.fn(async () => Greeting)
  const { Part } = onDemand(load)
  const { rerender } = render(<Part wanted={false} name="Ada" />)
  expect(load).not.toHaveBeenCalled()
  rerender(<Part wanted name="Ada" />)
  expect(screen.getByRole('status')).toHaveTextContent('Loading...')
  expect(await screen.findByText('Hello Ada')).toBeVisible()
})

test('a button that the pointer or the focus comes to fetches ahead, anything else does not', async () => {
  const load = vi.fn(async () => Greeting)
  const { prefetch } = onDemand(load)
  const { user } = render(
    <div {...whenButtonNears(prefetch)}>
      <p>Text</p>
      <button type="button">Open</button>
    </div>,
  )
  await user.hover(screen.getByText('Text'))
  expect(load).not.toHaveBeenCalled()
  await user.tab()
  expect(load).toHaveBeenCalled()
})

test('what does not come says so, and comes when it is tried again', async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new Error('no network'))
  const { Part } = onDemand(load)
  const { user } = render(<Part wanted name="Ada" />)
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded')
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Hello Ada')).toBeVisible()
})

test('tried again in vain, the page itself is loaded again: its build may be gone from the server', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { Part } = onDemand<{ name: string }>(async () => {
    throw new Error('not found')
  })
  const { user } = render(<Part wanted name="Ada" />)
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(reload).toHaveBeenCalled())
})
