import { DashboardIcon, BellIcon, FileTextIcon, GearIcon, HomeIcon, PersonIcon, PlusIcon } from '@radix-ui/react-icons'
import { foldText } from '#shared/domain/fold-text.ts'
import type { Opened } from '#client/list/list-position.ts'

/** Where an entry leads: a page, and what its address opens over it. */
export interface Destination {
  to: '/dashboard' | '/customers' | '/contracts' | '/notifications' | '/company' | '/profile'
  open?: Opened
}

export interface PaletteEntry {
  key: string
  name: string
  hint?: string | undefined
  icon: typeof PlusIcon
  destination: Destination
}

export interface PaletteSection {
  title: string
  entries: PaletteEntry[]
}

const SCREENS: PaletteEntry[] = [
  { key: 'dashboard', name: 'Dashboard', icon: DashboardIcon, destination: { to: '/dashboard' } },
  { key: 'customers', name: 'Customers', icon: PersonIcon, destination: { to: '/customers' } },
  { key: 'contracts', name: 'Contracts', icon: FileTextIcon, destination: { to: '/contracts' } },
  { key: 'notifications', name: 'Notifications', icon: BellIcon, destination: { to: '/notifications' } },
  { key: 'company', name: 'Company', icon: HomeIcon, destination: { to: '/company' } },
  { key: 'profile', name: 'Settings', icon: GearIcon, destination: { to: '/profile' } },
]

const ADDITIONS: PaletteEntry[] = [
  { key: 'add-customer', name: 'Add Customer', icon: PlusIcon, destination: { to: '/customers', open: 'new' } },
  { key: 'add-contract', name: 'Add Contract', icon: PlusIcon, destination: { to: '/contracts', open: 'new' } },
]

/** What is there without asking the server, as far as its name has the text in it. */
export function knownSections(text: string): PaletteSection[] {
  return [
    { title: 'Go to', entries: matchingEntries(SCREENS, text) },
    { title: 'Add', entries: matchingEntries(ADDITIONS, text) },
  ]
}

export function matchingEntries(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const folded = foldText(text)
  return entries.filter(({ name }) => foldText(name).includes(folded))
}
