import { act, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useKeptFocus } from './use-kept-focus.ts'

/** One button that gives way to another of another name. */
function Pair({ shown, isAtOnce }: { shown: string; isAtOnce?: boolean }) {
  const kept = useKeptFocus(shown)
  return (
    <div {...kept}>
      <button type="button" key={shown} data-at-once={isAtOnce}>
        {shown}
      </button>
    </div>
  )
}

const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus())

test('the focus goes from a control to the one that takes its place', () => {
  const { rerender } = render(<Pair shown="Upload" />)
  focus('Upload')
  rerender(<Pair shown="Cancel" />)
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
})

test('the focus skips a button that acts without asking', () => {
  const { rerender } = render(<Pair shown="Keep Open" />)
  focus('Keep Open')
  rerender(<Pair shown="Renew" isAtOnce />)
  expect(document.body).toHaveFocus()
})

test('also where the control had the focus before the app took the page over', () => {
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(<Pair shown="Upload" />)
  focus('Upload')
  const { rerender } = render(<Pair shown="Upload" />, { container, hydrate: true })
  rerender(<Pair shown="Cancel" />)
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus()
})

test('what had no focus takes none', () => {
  const { rerender } = render(<Pair shown="Upload" />)
  rerender(<Pair shown="Cancel" />)
  expect(document.body).toHaveFocus()
})
