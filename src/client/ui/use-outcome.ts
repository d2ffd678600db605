import { useEffect, useEffectEvent, useState } from 'react'

interface OutcomeOptions {
  opened: boolean
  closesAfterMs: number
  onClose: () => void
}

/** What a form dialog says about its last attempt. After a success it closes by itself. */
export function useOutcome({ opened, closesAfterMs, onClose }: OutcomeOptions) {
  const [error, setError] = useState<string>()
  const [success, setSuccess] = useState<string>()

  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!opened || success === undefined) return undefined
    const timer = setTimeout(() => close(), closesAfterMs)
    return () => clearTimeout(timer)
  }, [opened, success, closesAfterMs])

  const say = (outcome: { error?: string; success?: string }) => {
    setError(outcome.error)
    setSuccess(outcome.success)
  }
  return {
    error,
    success,
    succeed: (text: string) => say({ success: text }),
    fail: (text: string) => say({ error: text }),
    clear: () => say({}),
  }
}
