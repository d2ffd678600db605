import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Button, Group, Stack, Text, useMantineEnv, VisuallyHidden } from '@mantine/core'
import { useReducedMotion, useWindowEvent } from '@mantine/hooks'
import { notifications, Notifications, notificationsStore, useNotifications } from '@mantine/notifications'
import { CheckIcon, Cross2Icon } from '@radix-ui/react-icons'
import { createContext, use, useState } from 'react'
import { ignoreSecondClick } from '#client/ui/ignore-second-click.ts'
import classes from './toast-list.module.css'

const MOST_AT_ONCE = 3
const TRANSITION_MS = 200
const TOP = 'top-right' as const
const BOTTOM = 'bottom-right' as const

export interface Toast {
  tone: 'success' | 'error'
  text: string
  /** How long it stays; by default 3 seconds for a success and 5 for a failure. */
  durationMs?: number
  /** If it returns a promise, the toast stays until that has settled. */
  action?: { label: string; onAct: () => unknown }
}

interface Presented extends Toast {
  id: string
  durationMs: number
  isNearBottom: boolean
}

/**
 * Shows a toast in place of one that says the same, and of the oldest where there are too many. One with an action stays
 * for its time: what it undoes may be said twice, of two things.
 */
export function present({ id, tone, text, durationMs, action, isNearBottom }: Presented): void {
  const failed = tone === 'error'
  const toast = {
    id,
    message: (
      <Message
        id={id}
        text={text}
        action={action}
        onWait={() => notifications.update({ ...toast, autoClose: false })}
      />
    ),
    'data-toast': id,
    'data-text': text,
    'data-action': action?.label,
    role: failed ? 'alert' : 'status',
    color: failed ? 'red' : 'green',
    icon: failed ? <Cross2Icon aria-hidden /> : <CheckIcon aria-hidden />,
    autoClose: durationMs,
    position: isNearBottom ? TOP : BOTTOM,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    onClose: () => returnFocus(id),
    // It may vanish, and the next one take its place.
    onClickCapture: ignoreSecondClick,
  }
  for (const same of plainToasts().filter((one) => one['data-text'] === text)) dismiss(same.id)
  const tooMany = notificationsStore.getState().notifications.length - MOST_AT_ONCE + 1
  for (const old of plainToasts().slice(0, Math.max(0, tooMany))) dismiss(old.id)
  notifications.show({
    ...toast,
    onFocusCapture: () => notifications.update({ ...toast, autoClose: false }),
    onBlurCapture: () => notifications.update(toast),
  })
}

function plainToasts() {
  return notificationsStore.getState().notifications.filter((one) => one['data-action'] === undefined)
}

/** A second call does nothing. */
export function dismiss(id: string | undefined): void {
  if (id) notifications.hide(id)
}

/** Removes all toasts. */
export function dismissAll(): void {
  notifications.clean()
}

interface Unfolding {
  isUnfolded: boolean
  toggle: () => void
}

const UnfoldingContext = createContext<Unfolding>({ isUnfolded: false, toggle: () => {} })

/**
 * The latest toast, which says how many others there are and unfolds them: together they would cover what is pressed
 * next. F8 focuses the latest one, Escape closes it.
 */
export function ToastList() {
  const [isUnfolded, setUnfolded] = useState(false)
  const { notifications: toasts } = useNotifications(notificationsStore)
  if (isUnfolded && toasts.length < 2) setUnfolded(false)
  const edge = toasts.at(-1)?.position
  const isTest = useMantineEnv() === 'test'
  const isReduced = useReducedMotion() || isTest
  useWindowEvent('keydown', (event) => {
    const latest = notificationsStore.getState().notifications.at(-1)?.id
    if (event.key === 'F8') focusOn(latest)
    if (event.key === 'Escape' && !closesSomethingElse()) dismiss(latest)
  })
  return (
    <UnfoldingContext value={{ isUnfolded, toggle: () => setUnfolded(!isUnfolded) }}>
      <Notifications
        aria-live="polite"
        className={classes.list ?? ''}
        data-latest={edge}
        data-unfolded={isUnfolded || undefined}
        limit={Number.MAX_SAFE_INTEGER}
        transitionDuration={isReduced ? 0 : TRANSITION_MS}
      />
    </UnfoldingContext>
  )
}

interface MessageProps {
  id: string
  text: string
  action: Toast['action'] | undefined
  /** While it is being done. */
  onWait: () => void
}

function Message({ id, text, action, onWait }: MessageProps) {
  const [isActing, setActing] = useState(false)
  const act = async (onAct: () => unknown) => {
    // The button can be clicked again while the toast fades out.
    if (!notificationsStore.getState().notifications.some((one) => one.id === id)) return
    const done = onAct()
    if (done instanceof Promise) {
      setActing(true)
      onWait()
      await done.catch(ignore)
    }
    dismiss(id)
  }
  return (
    <Group justify="flex-end" gap="xs">
      <Text size="sm" flex="1 1 9rem" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {action && <VisuallyHidden>{`Press F8 to reach ${action.label}.`}</VisuallyHidden>}
      <Stack gap={2} flex="none">
        {action && (
          <Button
            size="xs"
            variant="default"
            loading={isActing}
            aria-busy={isActing}
            renderRoot={(root) => <button type="button" {...root} disabled={false} />}
            onClick={() => isActing || void act(action.onAct)}
          >
            {action.label}
          </Button>
        )}
        <Others id={id} />
      </Stack>
    </Group>
  )
}

/** In the latest toast: how many others there are at both edges, which a press shows or hides. */
function Others({ id }: { id: string }) {
  const { isUnfolded, toggle } = use(UnfoldingContext)
  const { notifications: toasts } = useNotifications(notificationsStore)
  if (toasts.length < 2 || toasts.at(-1)?.id !== id) return null
  return (
    <Button size="compact-xs" variant="subtle" aria-expanded={isUnfolded} onClick={toggle}>
      {isUnfolded ? 'Show Latest' : `${toasts.length - 1} More`}
    </Button>
  )
}

/** Whoever began it says what has failed. */
function ignore(): void {}

let focusedBefore: Element | null = null

function focusOn(id: string | undefined): void {
  const button = document.querySelector<HTMLElement>(`[data-toast="${id}"] button`)
  if (!button) return
  focusedBefore = document.activeElement
  button.focus()
}

function returnFocus(id: string): void {
  const isInside = document.activeElement?.closest(`[data-toast="${id}"]`)
  if (isInside && focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
}

/** An open dialog or menu handles the key itself. */
function closesSomethingElse(): boolean {
  return document.querySelector('[aria-modal="true"], [aria-expanded="true"]') !== null
}
