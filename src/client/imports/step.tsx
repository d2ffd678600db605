import { useEffect, useRef, type ReactNode } from 'react'

/** A step that replaces another one. It takes the focus, which was on a button that is gone. */
export function Step({ children }: { children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={step} tabIndex={-1}>
      {children}
    </div>
  )
}
