import { MantineProvider } from '@mantine/core'
import { render as renderPlain } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { theme } from '#client/app/theme.ts'
import { Toasts } from '#client/ui/toasts/toasts.tsx'

/** Shows a piece of the app as the app does, without transitions; `user` acts on it. */
export function render(ui: ReactNode) {
  const user = userEvent.setup()
  return { user, ...renderPlain(ui, { wrapper: Provider }) }
}

function Provider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} env="test">
      {children}
      <Toasts />
    </MantineProvider>
  )
}
