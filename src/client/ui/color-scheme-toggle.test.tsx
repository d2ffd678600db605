import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#support/render.tsx'
import { ColorSchemeToggle } from './color-scheme-toggle.tsx'

test('the toggle switches to the other scheme, and the browser remembers it', async () => {
  const { user } = render(<ColorSchemeToggle />)
  await user.click(screen.getByRole('button', { name: 'Switch to dark mode' }))
  expect(screen.getByRole('button', { name: 'Switch to light mode' })).toBeVisible()
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark')
})
