import { MantineProvider } from '@mantine/core'
import { render as renderPlain, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { render } from '#support/render.tsx'
import { ColorSchemeToggle } from './color-scheme-toggle.tsx'

test('the toggle switches to the other scheme, and the browser remembers it', async () => {
  const { user } = render(<ColorSchemeToggle />)
  await user.click(screen.getByRole('button', { name: 'Switch to dark mode' }))
  expect(screen.getByRole('button', { name: 'Switch to light mode' })).toBeVisible()
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark')
})

test('a button that the server has rendered says what it does for whoever has chosen dark', () => {
  const toggle = (
    <MantineProvider defaultColorScheme="auto" env="test">
      <ColorSchemeToggle />
    </MantineProvider>
  )
  const container = document.createElement('div')
  container.innerHTML = renderToString(toggle)
  document.body.append(container)
  localStorage.setItem('mantine-color-scheme-value', 'dark')
  renderPlain(toggle, { container, hydrate: true })
  expect(screen.getByRole('button', { name: 'Switch to light mode' })).toBeVisible()
})
