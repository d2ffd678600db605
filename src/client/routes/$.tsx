import { createFileRoute, redirect } from '@tanstack/react-router'

/** Any other path: the dashboard's gate decides where its visitor belongs. */
export const Route = createFileRoute('/$')({
  beforeLoad: () => {
    redirect({ to: '/dashboard', replace: true, throw: true })
  },
})
