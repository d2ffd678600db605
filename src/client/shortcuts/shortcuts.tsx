import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Kbd, Switch } from '@mantine/core'
import '@mantine/core/styles/Kbd.layer.css'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { DetailsDialog } from '#client/ui/dialogs/details-dialog.tsx'
import { areShortcutsOn, plainKey, turnShortcuts } from '#client/browser/plain-key.ts'

export interface ShortcutsProps {
  /** The key that was pressed before this was loaded. */
  first: string
  onGo: (destination: { to: Screen; open?: 'new' }) => void
}

type Screen = '/dashboard' | '/customers' | '/contracts' | '/calendar' | '/reminders' | '/notifications'

/** The second key after `g`. */
const SCREENS: Record<string, { to: Screen; label: string }> = {
  d: { to: '/dashboard', label: 'Go to the dashboard' },
  c: { to: '/contracts', label: 'Go to contracts' },
  u: { to: '/customers', label: 'Go to customers' },
  a: { to: '/calendar', label: 'Go to the calendar' },
  r: { to: '/reminders', label: 'Go to reminders' },
  n: { to: '/notifications', label: 'Go to notifications' },
}

const OTHERS = [
  { label: 'Add a contract, or a customer where customers are listed', keys: ['n'] },
  { label: 'Next, and previous, in the list from which a page was opened', keys: ['j', 'k'] },
  { label: 'Go to today in the calendar', keys: ['t'] },
  { label: 'Search', keys: ['/'] },
  { label: 'Search everywhere', keys: ['Ctrl', 'K'] },
  { label: 'Show this list', keys: ['?'] },
]

const SECOND_KEY_WITHIN_MS = 1500

/** Carries out the shortcuts, and lists them. */
export function Shortcuts({ first, onGo }: ShortcutsProps) {
  const [isListed, setListed] = useState(first === '?')
  const [isOn, setOn] = useState(areShortcutsOn)
  const secondUntil = useRef(0)

  const act = (key: string): boolean => {
    const screen = performance.now() < secondUntil.current ? SCREENS[key] : undefined
    secondUntil.current = 0
    if (!isOn) return false
    if (screen) onGo({ to: screen.to })
    else if (key === 'g') secondUntil.current = performance.now() + SECOND_KEY_WITHIN_MS
    else if (key === 'n') onGo({ to: listOnScreen(), open: 'new' })
    else if (key === '/') search()
    else return false
    return true
  }
  const begin = useEffectEvent(() => void act(first))
  useEffect(() => begin(), [])
  useWindowEvent('keydown', (event) => {
    const key = plainKey(event)
    if (key === '?') setListed(true)
    if (key && (key === '?' || act(key))) event.preventDefault()
  })

  const turn = (on: boolean) => {
    setOn(on)
    turnShortcuts(on)
  }
  return (
    <DetailsDialog
      opened={isListed}
      title="Keyboard Shortcuts"
      details={[
        ...Object.entries(SCREENS).map(([key, { label }]) => ({ label, value: <Keys keys={['g', key]} /> })),
        ...OTHERS.map(({ label, keys }) => ({ label, value: <Keys keys={keys} /> })),
      ]}
      section={
        <Switch
          label="Single-key shortcuts"
          description="Turn them off if your keyboard or voice control presses keys by mistake. Ctrl K and ? always work."
          checked={isOn}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />
      }
      onClose={() => setListed(false)}
    />
  )
}

function listOnScreen(): Screen {
  return location.pathname.startsWith('/customers') ? '/customers' : '/contracts'
}

/** The search of the list on the page, or the one for everything. */
function search(): void {
  const field = document.querySelector<HTMLElement>('main [role=searchbox]')
  const button = document.querySelector<HTMLElement>('[aria-keyshortcuts~="Control+K"]')
  if (field) field.focus()
  else button?.click()
}

function Keys({ keys }: { keys: string[] }) {
  return (
    <span>
      {keys.map((key, index) => (
        <span key={key}>
          {index > 0 && ' '}
          <Kbd>{key}</Kbd>
        </span>
      ))}
    </span>
  )
}
