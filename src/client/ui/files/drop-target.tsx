import { useEffect, useState, type DragEvent } from 'react'
import classes from './drop-target.module.css'

/** What happens to files that are let go over an element. */
export interface Drop {
  /** Shown while they are held over it. */
  label: string
  onFiles: (files: File[]) => void
}

/**
 * Lets files be dropped on an element: `target` is what it needs for that, and `label` what its DropHint says.
 * `dropOn` is asked when files come; without an answer they are not taken.
 */
export function useDropTarget(dropOn: () => Drop | undefined) {
  const [label, setLabel] = useState<string>()
  const target = {
    className: classes.target ?? '',
    onDragOver: (event: DragEvent) => {
      const drop = bringsFiles(event) && dropOn()
      if (!drop) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setLabel(drop.label)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setLabel(undefined)
    },
    onDrop: (event: DragEvent) => {
      setLabel(undefined)
      const drop = bringsFiles(event) && dropOn()
      if (!drop) return
      event.preventDefault()
      drop.onFiles([...event.dataTransfer.files])
    },
  }
  return { label, target }
}

/** A file that misses its place would be opened by the browser, in place of the app. */
export function useNoStrayFiles(): void {
  useEffect(() => {
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', stay)
    return () => {
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', stay)
    }
  }, [])
}

function stay(event: globalThis.DragEvent): void {
  if (bringsFiles(event)) event.preventDefault()
}

/** Not a text or a link that is dragged about. */
function bringsFiles({ dataTransfer }: Pick<globalThis.DragEvent, 'dataTransfer'>): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

/** Covers its drop target while files are dragged over it. */
export function DropHint({ label }: { label: string | undefined }) {
  if (label === undefined) return null
  return (
    <span className={classes.sign}>
      <span className={classes.label}>{label}</span>
    </span>
  )
}
