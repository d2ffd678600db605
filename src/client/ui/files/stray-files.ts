import { useEffect, useState } from 'react'

/**
 * Keeps a file that misses its target from being opened by the browser in place of the app.
 * @returns whether files have been dragged over the page
 */
export function useNoStrayFiles(): boolean {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    const stay = (event: DragEvent) => {
      if (!bringsFiles(event)) return
      event.preventDefault()
      setDragging(true)
    }
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', stay)
    return () => {
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', stay)
    }
  }, [])
  return isDragging
}

/** Not a text or a link that is dragged. */
export function bringsFiles({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}
