import { createContext, use, useEffect } from 'react'

/** Tells the surrounding dialog by how many its forms with unsaved input have become more, or fewer. */
export const UnsavedContext = createContext<(change: number) => void>(() => {})

/** Makes the surrounding dialog ask before it closes while the form has changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const tell = use(UnsavedContext)
  useEffect(() => {
    if (!isUnsaved) return undefined
    tell(1)
    return () => tell(-1)
  }, [tell, isUnsaved])
}
