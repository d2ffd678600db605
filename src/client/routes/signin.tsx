import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/signin')({
  beforeLoad: () => {
    redirect({ to: '/sign-in/$', replace: true, throw: true })
  },
})
