import { useEffect, useEffectEvent } from 'react'

/** Does something once after a part of the screen has been shown, even if React mounts it twice. */
export function useOnceMounted(act: () => void): void {
  const once = useEffectEvent(act)
  useEffect(() => {
    let isUnmounted = false
    queueMicrotask(() => isUnmounted || once())
    return () => {
      isUnmounted = true
    }
  }, [])
}
