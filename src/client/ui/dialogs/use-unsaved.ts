import { createContext, use, useEffect } from 'react'

/** Tells the surrounding dialog whether it has unsaved input. */
export const UnsavedContext = createContext<(isUnsaved: boolean) => void>(() => {})

/** Makes the surrounding dialog ask before it closes while the form has changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const tell = use(UnsavedContext)
  useEffect(() => {
    tell(isUnsaved)
    return () => tell(false)
  }, [tell, isUnsaved])
}
