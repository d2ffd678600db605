import { Alert } from '@mantine/core'
import { RocketIcon } from '@radix-ui/react-icons'
import { useEffect, useEffectEvent } from 'react'

const SHOWN_MS = 5000

/** Greets somebody whose trial has just begun, for 5 seconds. */
export function WelcomeBanner({ onShown }: { onShown: () => void }) {
  const shown = useEffectEvent(onShown)
  useEffect(() => {
    const timer = setTimeout(() => shown(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Alert color="green" role="status" icon={<RocketIcon />}>
      Welcome to TRAXX! Your free trial has started successfully.
    </Alert>
  )
}
