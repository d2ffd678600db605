import { useEffect, useRef, type ReactNode } from 'react'

/** A step that replaces another. Takes the focus, which was on a button of the last one. */
export function Step({ children }: { children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={step} tabIndex={-1}>
      {children}
    </div>
  )
}
