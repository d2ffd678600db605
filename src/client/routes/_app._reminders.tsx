import { Stack } from '@mantine/core'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { RemindersNavigation } from '#client/shell/reminders-navigation.tsx'

/** The screens about reminders and notifications, with links between them. */
export const Route = createFileRoute('/_app/_reminders')({ component: RemindersLayout })

function RemindersLayout() {
  return (
    <Stack gap="lg">
      <RemindersNavigation />
      <Outlet />
    </Stack>
  )
}
