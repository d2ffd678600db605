import { CloseButton, TextInput } from '@mantine/core'
import { MagnifyingGlassIcon } from '@radix-ui/react-icons'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'

const DEBOUNCE_MS = 250

interface SearchInputProps {
  /** Names the field for those who do not see the magnifying glass. */
  label: string
  placeholder?: string
  /** The current search. */
  value: string
  onSearch: (text: string) => void
}

/** Searches when typing pauses; Enter and the clear button do not wait. */
export function SearchInput({ label, placeholder = label, value, onSearch }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const { draft, type, search } = useDraft(value, onSearch)

  const clear = () => {
    search('')
    input.current?.focus()
  }
  const searchOnEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') search(draft)
  }
  return (
    <TextInput
      ref={input}
      type="text"
      role="searchbox"
      aria-label={label}
      placeholder={placeholder}
      value={draft}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={searchOnEnter}
      leftSection={<MagnifyingGlassIcon />}
      rightSection={draft && <CloseButton size="sm" aria-label="Clear search" onClick={clear} />}
    />
  )
}

/** The text in the field: follows typing, and changes made elsewhere. */
function useDraft(value: string, onSearch: (text: string) => void) {
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value.trim())

  // Keep newer typing when our own search arrives.
  if (value !== seen) {
    setSeen(value)
    if (value.trim() !== sent) {
      setDraft(value)
      setSent(value.trim())
    }
  }

  const send = (text: string) => {
    const wanted = text.trim()
    setSent(wanted)
    if (wanted !== value.trim()) onSearch(wanted)
  }
  // Typed, and not sent yet.
  const [waiting, setWaiting] = useState<string>()

  const type = (text: string) => {
    setDraft(text)
    setWaiting(text)
  }
  const search = (text: string) => {
    setWaiting(undefined)
    setDraft(text)
    send(text)
  }
  const sendWaiting = useEffectEvent(() => search(waiting ?? ''))
  useEffect(() => {
    if (waiting === undefined) return undefined
    const timer = setTimeout(() => sendWaiting(), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return { draft, type, search }
}
