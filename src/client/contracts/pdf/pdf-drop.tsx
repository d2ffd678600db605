import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { bringsFiles } from '#client/ui/files/stray-files.ts'
import type { Contract } from './pdf-actions.ts'
import classes from './pdf-drop.module.css'
import { isUploading } from './pdf-uploads.ts'

interface PdfDropProps {
  /** Those that are on screen. */
  contracts: readonly Contract[]
  onFiles: (contract: Contract, files: File[]) => void
}

interface Hint {
  text: string
  /** What it covers. */
  area: DOMRect
}

/** Takes files that are dropped on the row or the page of a contract. It weighs nothing until files are dragged. */
export function PdfDrop({ contracts, onFiles }: PdfDropProps) {
  const [hint, setHint] = useState<Hint>()
  const targetOf = (event: DragEvent) => {
    const target = bringsFiles(event) ? targetAt(event) : undefined
    const contract = contracts.find(({ id }) => id === target?.id)
    return target && contract && !isUploading(contract.id) ? { contract, area: target.area } : undefined
  }
  const showHint = useEffectEvent((event: DragEvent) => {
    const target = targetOf(event)
    setHint(target && { text: hintText(target.contract), area: target.area.getBoundingClientRect() })
  })
  const drop = useEffectEvent((event: DragEvent) => {
    const target = targetOf(event)
    setHint(undefined)
    if (target) onFiles(target.contract, [...(event.dataTransfer?.files ?? [])])
  })
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    window.addEventListener('dragover', (event) => showHint(event), { signal })
    window.addEventListener('drop', (event) => drop(event), { signal })
    // The drag left the window or was canceled.
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget || setHint(undefined)
    window.addEventListener('dragleave', leave, { signal })
    return () => unmounted.abort()
  }, [])
  if (!hint) return null
  const { left, top, width, height } = hint.area
  return createPortal(
    <span className={classes.hint} style={{ left, top, width, height }}>
      <span className={classes.label}>{hint.text}</span>
    </span>,
    document.body,
  )
}

/** A row of the table, or the whole page of a contract: each contains the PDF's controls, which name the contract. */
function targetAt({ target }: DragEvent): { id: number; area: Element } | undefined {
  const dropZone = target instanceof Element ? target.closest('tr, [data-takes-pdf]') : null
  const controls = dropZone?.querySelector<HTMLElement>('[data-pdf-of]')
  if (!dropZone || !controls) return undefined
  return { id: Number(controls.dataset['pdfOf']), area: dropZone.matches('tr') ? dropZone : controls }
}

function hintText({ pdfPath }: Contract): string {
  return pdfPath ? 'Drop to replace the PDF' : 'Drop to attach the PDF'
}
