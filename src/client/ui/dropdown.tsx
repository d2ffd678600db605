import { useClickOutside } from '@mantine/hooks'
import { useEffect, useId, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import classes from './dropdown.module.css'

/** Props for the button that opens it. */
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
 * A panel that a button opens below itself, at the right edge of the nearest positioned element. Its position is fixed,
 * so it needs none of the measuring that makes a popover heavy. The focus moves in; Escape returns it to the button.
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

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/** Arrow keys, Home and End lead from one item of a menu to another. */
function focusByKey(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const target = STEPS[event.key]?.(at, items.length)
  if (target === undefined) return
  event.preventDefault()
  items[target]?.focus()
}
