import { useEffect, useEffectEvent } from 'react'
import { showToast } from '#client/ui/toasts/toasts.tsx'

const SHOWN_MS = 5000

/** Greets somebody whose trial has just begun, for 5 seconds. */
export function useWelcome(isWelcome: boolean, onShown: () => void): void {
  const shown = useEffectEvent(onShown)
  useEffect(() => {
    if (!isWelcome) return undefined
    showToast({ tone: 'success', text: TEXT, durationMs: SHOWN_MS })
    const timer = setTimeout(() => shown(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isWelcome])
}

const TEXT = 'Welcome to TRAXX! Your free trial has started successfully.'
