import { useCallback, useState } from 'react'

/** True from when an element first comes within a screen's height of being seen. */
export function useNearScreen(): [ref: (element: HTMLElement | null) => (() => void) | undefined, isNear: boolean] {
  const [isNear, setNear] = useState(false)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const look = (entries: IntersectionObserverEntry[]) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setNear(true)
      observer.disconnect()
    }
    const observer = new IntersectionObserver(look, { rootMargin: '100%' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear]
}
