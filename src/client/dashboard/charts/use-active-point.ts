import { useRef, useState, type MouseEvent, type PointerEvent } from 'react'

/** The point whose tooltip is shown. */
export interface ActivePoint {
  index: number | undefined
  /** By touch: the first tap shows the tooltip, the next one follows the link. */
  isTouched: boolean
  show: (index: number) => void
  hide: () => void
  /** Hides it when a point loses the focus. */
  blur: (index: number) => void
  onPointerEnter: (event: PointerEvent, index: number) => void
  onPointerLeave: (event: PointerEvent) => void
  /** Keeps a finger's first touch from following the link. */
  onClick: (event: MouseEvent) => void
}

export function useActivePoint(): ActivePoint {
  const [shown, setShown] = useState<{ index: number; isTouched: boolean }>()
  const isFirstTouch = useRef(false)
  // A touch event comes before focus and blur.
  const touched = useRef<number>(undefined)
  const hide = () => setShown(undefined)
  return {
    index: shown?.index,
    isTouched: shown?.isTouched ?? false,
    show: (index) => setShown({ index, isTouched: touched.current === index }),
    hide,
    blur: (index) => {
      if (touched.current === index) touched.current = undefined
      hide()
    },
    onPointerEnter: ({ pointerType }, index) => {
      const isTouched = pointerType === 'touch'
      touched.current = isTouched ? index : undefined
      isFirstTouch.current = isTouched && shown?.index !== index
      setShown({ index, isTouched })
    },
    // A finger leaves as soon as it lifts; the tooltip stays.
    onPointerLeave: ({ pointerType }) => pointerType === 'mouse' && hide(),
    onClick: (event) => {
      if (isFirstTouch.current) event.preventDefault()
      isFirstTouch.current = false
    },
  }
}
