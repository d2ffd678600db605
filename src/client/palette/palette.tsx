import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import {
  Loader,
  Modal,
  Text,
  TextInput,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { useId, useState, type KeyboardEvent } from 'react'
import { useSignOut } from '#client/identity/session-context.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { useBackCloses } from '#client/ui/dialogs/use-back-closes.ts'
import classes from './palette.module.css'
import type { Destination, PaletteEntry } from './palette-entry.ts'
import { optionId, PaletteList } from './palette-list.tsx'
import { usePaletteSections } from './use-palette-sections.ts'

interface PaletteProps {
  opened: boolean
  /** What was typed before it could be typed here. */
  typed: string
  onClose: () => void
  onGo: (destination: Destination) => void
}

/** Finds screens, customers, contracts and actions by part of their names. */
export function Palette({ opened, ...actions }: PaletteProps) {
  const isOpen = useMounted() && opened
  useBackCloses(isOpen, { leave: actions.onClose, hasChanges: () => false })
  return (
    <Modal.Root
      opened={isOpen}
      onClose={actions.onClose}
      size="lg"
      radius="lg"
      yOffset="10vh"
      // No animation, so that it can be reopened immediately.
      transitionProps={{ duration: 0 }}
      // Focus returns to the opener first, before the chosen action moves it.
      returnFocus={false}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content aria-label="Search or jump to">
        <Search {...actions} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search(actions: Actions) {
  const list = useId()
  const { otherScheme, choose } = useChoice(actions)
  const [text, setText] = useText(actions.typed)
  const [activeKey, setActiveKey] = useState<string>()
  const { sections, pending, failure, retry } = usePaletteSections(text, otherScheme)
  const entries = sections.flatMap((section) => section.entries)
  const active = entries.find(({ key }) => key === activeKey) ?? entries[0]
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const target = entryByKey(event.key, entries, active)
    if (target) setActiveKey(target.key)
    if (event.key === 'Enter' && active) choose(active)
    if (target || event.key === 'Enter') event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.field ?? ''}
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={active && optionId(list, active)}
        placeholder="Search customers and contracts, or jump to..."
        autoComplete="off"
        maxLength={200}
        leftSection={pending ? <Loader size="xs" aria-hidden /> : <MagnifyingGlassIcon />}
        value={text}
        onKeyDown={press}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActiveKey(undefined)
        }}
      />
      <PaletteList
        id={list}
        sections={sections}
        active={active}
        busy={pending}
        onActive={({ key }) => setActiveKey(key)}
        onChoose={choose}
      />
      {failure && <ErrorState message={failure} onRetry={retry} />}
      {entries.length === 0 && !failure && (
        <Text size="sm" c="dimmed" ta="center" px="md" pt="sm" pb="lg">
          {pending ? 'Searching...' : `No results for "${text.trim()}"`}
        </Text>
      )}
      <VisuallyHidden role="status">{pending ? 'Searching...' : countText(entries.length)}</VisuallyHidden>
    </>
  )
}

/** The text of the field, which begins with what was typed before it was there. */
function useText(typed: string) {
  const state = useState(typed)
  const [text, setText] = state
  const [taken, setTaken] = useState(typed)
  if (taken !== typed) {
    setTaken(typed)
    setText(text + typed.slice(taken.length))
  }
  return state
}

type Actions = Omit<PaletteProps, 'opened'>

/** Carries out an entry. */
function useChoice({ onClose, onGo }: Actions) {
  const { signOut } = useSignOut()
  const { setColorScheme } = useMantineColorScheme()
  const otherScheme = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  const choose = ({ destination }: PaletteEntry) => {
    if (typeof destination === 'object') return onGo(destination)
    onClose()
    if (destination === 'sign-out') signOut()
    else setColorScheme(otherScheme)
  }
  return { otherScheme, choose } as const
}

function entryByKey(key: string, entries: PaletteEntry[], active: PaletteEntry | undefined): PaletteEntry | undefined {
  const at = entries.findIndex((entry) => entry === active)
  if (key === 'ArrowDown') return entries[(at + 1) % entries.length]
  return key === 'ArrowUp' ? entries.at(at - 1) : undefined
}

function countText(count: number): string {
  return count === 1 ? '1 result' : `${count} results`
}
