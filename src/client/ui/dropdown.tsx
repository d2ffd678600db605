import { useClickOutside } from '@mantine/hooks'
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import classes from './dropdown.module.css'
import { focusByKey } from './menu-keys.ts'

/** What the button that opens it must have. */
interface TriggerProps {
  'aria-haspopup': 'dialog' | 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick: () => void
}

interface DropdownProps {
  role: 'dialog' | 'menu'
  label: string
  width: number
  trigger: (props: TriggerProps) => ReactNode
  children: (close: () => void) => ReactNode
}

/**
 * What a button opens below itself, at the right edge of the nearest positioned element. Always the same place, so it
 * needs none of the reckoning that makes a popover heavy. The focus goes in; Escape takes it back to the button.
 */
export function Dropdown({ role, label, width, trigger, children }: DropdownProps) {
  const id = useId()
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  const frame = useClickOutside<HTMLDivElement>(close)
  const leave = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) close()
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Escape' || !opened) return
    event.stopPropagation()
    close()
    event.currentTarget.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }
  return (
    <div ref={frame} role="presentation" className={classes.frame} onKeyDown={press} onBlur={leave}>
      {trigger({
        'aria-haspopup': role,
        'aria-expanded': opened,
        'aria-controls': opened ? id : undefined,
        onClick: () => setOpened(!opened),
      })}
      {opened && (
        <Panel id={id} role={role} label={label} width={width}>
          {children(close)}
        </Panel>
      )}
    </div>
  )
}

interface PanelProps extends Pick<DropdownProps, 'role' | 'label' | 'width'> {
  id: string
  children: ReactNode
}

function Panel({ role, label, width, children, id }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const first = role === 'menu' ? panel.current?.querySelector<HTMLElement>('[role=menuitem]') : undefined
    ;(first ?? panel.current)?.focus({ preventScroll: true })
  }, [role])
  return (
    <div
      ref={panel}
      id={id}
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={classes.panel}
      style={{ width }}
      {...(role === 'menu' && { onKeyDown: focusByKey })}
    >
      {children}
    </div>
  )
}
