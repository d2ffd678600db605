import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import classes from './dialog.module.css'
import { returnLostFocus } from '#client/ui/lost-focus.ts'
import { useBackCloses } from './use-back-closes.ts'

export interface DialogLayerProps {
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
  /** It is mostly for reading: the focus starts on the button that closes it, not on the first control. */
  reading?: boolean
  /** Something in it would be lost by leaving the screen. */
  unsaved?: boolean
  /** False where it asks about a Back that is held already. */
  backCloses?: boolean
  /** Once it has faded out, and the focus is back where it was. */
  onClosed?: (() => void) | undefined
}

/** A dialog over the page. The focus starts in its content, and returns to where it came from. Back closes it. */
export function DialogLayer({ opened, title, children, onClose, size = 'md', ...rest }: DialogLayerProps) {
  const { busy = false, covered = false, growing = false, reading = false, onClosed } = rest
  const { unsaved = false, backCloses = true } = rest
  // The focus returns only from a dialog that has stood here closed, and one fetched on demand comes open.
  const mounted = useMounted()
  const isOpen = opened && mounted
  const before = useRef<Element>(null)
  const content = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement
  }, [isOpen])
  const close = busy || covered ? ignore : onClose
  useBackCloses(isOpen && backCloses, { leave: close, hasChanges: () => unsaved })
  const leave = () => {
    onClosed?.()
    returnLostFocus({ before: before.current, closed: content.current })
  }
  const shown = covered ? { style: HIDDEN } : {}
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={leave}
      size={size}
      radius="lg"
      centered={!growing}
      classNames={PARTS}
    >
      <Modal.Overlay backgroundOpacity={0.5} {...shown} />
      <Modal.Content ref={content} data-closing={!isOpen || undefined} {...shown}>
        {/* Beside the app's own header, a dialog's would count as a second banner of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title className={classes.title ?? ''}>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
        {/* After the content, so that the focus starts on it only where nothing else is meant. */}
        <Modal.CloseButton
          aria-label="Close"
          className={classes.close ?? ''}
          disabled={busy}
          data-autofocus={reading || undefined}
        />
      </Modal.Content>
    </Modal.Root>
  )
}

// A class of Modal.Content would go to what is around it, too.
const PARTS = { content: classes.content ?? '', body: classes.body ?? '' }

const HIDDEN = { visibility: 'hidden' } as const

function ignore(): void {}
