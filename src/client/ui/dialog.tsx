import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import classes from './dialog.module.css'
import { returnLostFocus } from './lost-focus.ts'

interface DialogProps {
  opened: boolean
  title: string
  children: ReactNode
  onClose: () => void
  size?: 'md' | 'lg'
  /** While something is under way the dialog stays open. */
  busy?: boolean
  /** Another dialog has come over this one, which waits unseen until it closes. */
  covered?: boolean
  /** More comes into it while it is open: it hangs from the top, so that what is there already stays where it is. */
  growing?: boolean
  /** Once it has faded out, and the focus is back where it was. */
  onClosed?: (() => void) | undefined
}

/** A dialog over the page. The focus starts in its content, and returns to where it came from. */
export function Dialog({ opened, title, children, onClose, size = 'md', ...rest }: DialogProps) {
  const { busy = false, covered = false, growing = false, onClosed } = rest
  // The focus returns only from a dialog that has stood here closed, and one fetched on demand comes open.
  const mounted = useMounted()
  const isOpen = opened && mounted
  const before = useRef<Element>(null)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement
  }, [isOpen])
  const leave = () => {
    onClosed?.()
    returnLostFocus({ before: before.current, closed: content.current })
  }
  const shown = covered ? { style: HIDDEN } : {}
  return (
    <Modal.Root
      opened={isOpen}
      onClose={busy || covered ? ignore : onClose}
      onExitTransitionEnd={leave}
      size={size}
      radius="lg"
      centered={!growing}
    >
      <Modal.Overlay backgroundOpacity={0.5} {...shown} />
      <Modal.Content ref={content} {...shown}>
        {/* Beside the app's own header, a dialog's would count as a second banner of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
        {/* After the content, so that the focus does not start on it. */}
        <Modal.CloseButton aria-label="Close" className={classes.close ?? ''} disabled={busy} />
      </Modal.Content>
    </Modal.Root>
  )
}

const HIDDEN = { visibility: 'hidden' } as const

function ignore(): void {}
