import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ignoreHeldEnter } from '#client/ui/ignore-held-enter.ts'
import { useFocusAfterBusy } from '#client/ui/use-focus-after-busy.ts'
import classes from './dialog.module.css'
import { useBackCloses } from './use-back-closes.ts'
import { useLostFocus } from './use-lost-focus.ts'

export interface DialogLayerProps {
  opened: boolean
  title: string
  children: ReactNode
  onClose: () => void
  size?: 'md' | 'lg'
  /** While something is under way the dialog stays open. */
  busy?: boolean
  /** Another dialog is open above this one, which is hidden until then. */
  covered?: boolean
  /** It grows while it is open: aligned to the top, so that what is shown does not move. */
  growing?: boolean
  /** It is mostly for reading: the focus starts on the button that closes it, not on the first control. */
  reading?: boolean
  /** Something in it would be lost by leaving the screen. */
  unsaved?: boolean
  /** False if it asks about a Back that is already being held. */
  backCloses?: boolean
  /** Once it has faded out, and the focus is back where it was. */
  onClosed?: (() => void) | undefined
}

/** A dialog over the page. The focus starts in its content, and returns to where it came from. Back closes it. */
export function DialogLayer({ opened, title, children, onClose, size = 'md', ...rest }: DialogLayerProps) {
  const { busy = false, covered = false, growing = false, reading = false, onClosed } = rest
  const { unsaved = false, backCloses = true } = rest
  // Mantine returns the focus only from a dialog that was first rendered closed; one loaded on demand comes open.
  const mounted = useMounted()
  const isOpen = opened && mounted
  const { content, returnFocus } = useLostFocus(isOpen)
  useFocusAfterBusy(busy, isOpen)
  const close = busy || covered ? ignore : onClose
  useBackCloses(isOpen && backCloses, { leave: close, hasChanges: () => unsaved })
  const leave = () => {
    onClosed?.()
    returnFocus()
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
      <Modal.Content ref={content} data-closing={!isOpen || undefined} onKeyDownCapture={ignoreHeldEnter} {...shown}>
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

// A class of Modal.Content would also apply to its wrapper.
const PARTS = { content: classes.content ?? '', body: classes.body ?? '' }

const HIDDEN = { visibility: 'hidden' } as const

function ignore(): void {}
