import { Button } from '@mantine/core'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#support/render.tsx'
import { movableTime } from '#support/time.ts'
import { showToast, toastFailure, toastSuccess } from './toasts.tsx'

test.each([
  ['success', toastSuccess, 'status', 3000],
  ['failure', toastFailure, 'alert', 5000],
] as const)('a %s is announced, and goes after its time', async (_what, say, role, ms) => {
  const time = movableTime()
  render(<p>Page</p>)
  say('Apples counted')
  const toast = await screen.findByRole(role)
  expect(toast).toHaveTextContent('Apples counted')
  expect(toast.closest('[aria-live="polite"]')).not.toBeNull()
  expect(time.waits()).toContain(ms)
  await time.pass(ms)
  await waitFor(() => expect(screen.queryByRole(role)).not.toBeInTheDocument())
})

test('what has the focus or the pointer stays until they leave', async () => {
  const { user } = render(<Button>Elsewhere</Button>)
  toastSuccess('Apples counted')
  const toast = await screen.findByRole('status')
  const time = movableTime()
  within(toast).getByRole('button', { name: 'Dismiss' }).focus()
  await time.pass(60_000)
  expect(toast).toBeVisible()
  await user.hover(toast)
  screen.getByRole('button', { name: 'Elsewhere' }).focus()
  await time.pass(60_000)
  expect(toast).toBeVisible()
  await user.unhover(toast)
  await time.pass(3000)
  await waitFor(() => expect(toast).not.toBeInTheDocument())
})

test('F8 leads to its action, which takes it away and returns the focus', async () => {
  const onAct = vi.fn()
  const { user } = render(<Button>Elsewhere</Button>)
  screen.getByRole('button', { name: 'Elsewhere' }).focus()
  showToast({ tone: 'success', text: 'Apples eaten', action: { label: 'Undo', onAct } })
  expect(await screen.findByRole('status')).toHaveTextContent('Press F8 to reach Undo.')
  await user.keyboard('{F8}')
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(onAct).toHaveBeenCalledOnce()
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus()
})

test('Escape takes the latest one away', async () => {
  const { user } = render(<p>Page</p>)
  toastSuccess('Apples counted')
  toastFailure('Pears are missing')
  await screen.findByRole('alert')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument())
  expect(screen.getByRole('status')).toHaveTextContent('Apples counted')
})

test('there are three at once at most, the latest of all, and none says what another says', async () => {
  render(<p>Page</p>)
  for (const text of ['First', 'Second', 'Third', 'Third', 'Fourth']) toastSuccess(text)
  await screen.findByText('Fourth')
  const said = screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said).toEqual(['Second', 'Third', expect.stringMatching(/^Fourth/)])
})

test('one with an action stays for its time, whatever else is said', async () => {
  render(<p>Page</p>)
  const texts = ['First', 'Second', 'Third', 'Third', 'Fourth']
  for (const text of texts) showToast({ tone: 'success', text, action: { label: 'Undo', onAct: vi.fn() } })
  for (const text of ['Fifth', 'Sixth', 'First']) toastSuccess(text)
  await waitFor(() => expect(screen.getAllByRole('status')).toHaveLength(6))
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(texts.length)
  expect(screen.queryByText('Sixth')).not.toBeInTheDocument()
})

test('the latest says how many others there are, and unfolds them until it is alone', async () => {
  const { user } = render(<p>Page</p>)
  for (const text of ['First', 'Second', 'Third'])
    showToast({ tone: 'success', text, action: { label: 'Undo', onAct: vi.fn() } })
  const latest = (await screen.findByText('Third')).closest<HTMLElement>('[role="status"]')
  if (!latest) throw new Error('The latest toast is not shown')
  const list = screen.getByText('First').closest('[aria-live="polite"]')
  const others = within(latest).getByRole('button', { name: '2 More' })
  expect(screen.getAllByRole('button', { name: /More$/ })).toEqual([others])
  await user.click(others)
  expect(list).toHaveAttribute('data-unfolded')
  expect(others).toHaveAccessibleName('Show Latest')
  expect(others).toHaveAttribute('aria-expanded', 'true')
  for (const text of ['First', 'Second']) {
    const one = screen.getByText(text).closest<HTMLElement>('[role="status"]')
    if (one) await user.click(within(one).getByRole('button', { name: 'Dismiss' }))
  }
  await waitFor(() => expect(list).not.toHaveAttribute('data-unfolded'))
  expect(screen.queryByRole('button', { name: 'Show Latest' })).not.toBeInTheDocument()
})

test.each(['Undo', 'Dismiss'])(
  'the rest of a double click on %s does not hit the toast that takes its place',
  async (name) => {
    const { user } = render(<p>Page</p>)
    const acts = [vi.fn(), vi.fn()]
    for (const [at, onAct] of acts.entries())
      showToast({ tone: 'success', text: `Apple ${at} eaten`, action: { label: 'Undo', onAct } })
    const latest = (await screen.findByText('Apple 1 eaten')).closest<HTMLElement>('[role="status"]')
    await user.click(within(latest ?? document.body).getByRole('button', { name }))
    await waitFor(() => expect(latest).not.toBeInTheDocument())
    const undo = screen.getByRole('button', { name: 'Undo' })
    fireEvent.click(undo, { detail: 2 })
    expect(acts[0]).not.toHaveBeenCalled()
    await user.click(undo)
    expect(acts[0]).toHaveBeenCalledOnce()
  },
)

test('of toasts at both edges of the window only the latest counts the others, and hides them', async () => {
  render(<p>Page</p>)
  toastSuccess('At the bottom')
  await screen.findByText('At the bottom')
  fireEvent.pointerDown(document.body, { clientY: innerHeight - 10 })
  toastSuccess('At the top')
  const latest = (await screen.findByText('At the top')).closest<HTMLElement>('[role="status"]')
  expect(screen.getAllByRole('button', { name: /More$/ })).toHaveLength(1)
  expect(within(latest ?? document.body).getByRole('button', { name: '1 More' })).toBeVisible()
  const lists = ['At the bottom', 'At the top'].map((text) => screen.getByText(text).closest('[data-position]'))
  expect(lists.map((list) => list?.getAttribute('data-position'))).toEqual(['bottom-right', 'top-right'])
  expect(lists.map((list) => list?.getAttribute('data-latest'))).toEqual(['top-right', 'top-right'])
  fireEvent.pointerDown(document.body, { clientY: 0 })
})

test('a toast can be taken away before its time', async () => {
  render(<p>Page</p>)
  const hide = showToast({ tone: 'success', text: 'Apples counted' })
  await screen.findByRole('status')
  hide()
  await waitFor(() => expect(screen.queryByRole('status')).not.toBeInTheDocument())
})
