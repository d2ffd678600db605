import {
  BellIcon,
  BookmarkIcon,
  CalendarIcon,
  DashboardIcon,
  CubeIcon,
  ExclamationTriangleIcon,
  ExitIcon,
  FileTextIcon,
  GearIcon,
  MoonIcon,
  HomeIcon,
  LockClosedIcon,
  PersonIcon,
  PlusIcon,
  EnvelopeOpenIcon,
  UploadIcon,
  TrashIcon,
} from '@radix-ui/react-icons'
import type { ComponentType } from 'react'
import { foldText } from '#shared/domain/fold-text.ts'
import type { Opened } from '#client/list/list-position.ts'
import { EnvelopeIcon } from '#client/ui/envelope-icon.tsx'

/** Where an entry leads: a page, and what its address opens over it or scrolls to. */
export interface Destination {
  to:
    | '/dashboard'
    | '/customers'
    | '/contracts'
    | '/calendar'
    | '/reminders'
    | '/answers'
    | '/notices'
    | '/notifications'
    | '/notifications/texts'
    | '/notifications/settings'
    | '/company'
    | '/tags'
    | '/trash'
    | '/profile'
    | '/profile/security'
  open?: Opened
  hash?: string
}

/** An entry that is not a link. */
export type Act = 'switch-theme' | 'sign-out'

export interface PaletteEntry {
  key: string
  name: string
  hint?: string | undefined
  /** Other words that find it. */
  words?: string
  icon: ComponentType<{ 'aria-hidden'?: boolean }>
  destination: Destination | Act
}

export interface PaletteSection {
  title: string
  entries: PaletteEntry[]
}

const SCREENS: PaletteEntry[] = [
  { key: 'dashboard', name: 'Dashboard', icon: DashboardIcon, destination: { to: '/dashboard' } },
  {
    key: 'customers',
    name: 'Customers',
    words: 'import, bulk upload, template',
    icon: PersonIcon,
    destination: { to: '/customers' },
  },
  {
    key: 'contracts',
    name: 'Contracts',
    words: 'import, bulk upload, template',
    icon: FileTextIcon,
    destination: { to: '/contracts' },
  },
  {
    key: 'calendar',
    name: 'Calendar',
    words: 'renewals, notice, month, year',
    icon: CalendarIcon,
    destination: { to: '/calendar' },
  },
  { key: 'reminders', name: 'Reminders', icon: EnvelopeIcon, destination: { to: '/reminders' } },
  {
    key: 'answers',
    name: 'Answers',
    words: 'customers, accept, decline',
    icon: EnvelopeOpenIcon,
    destination: { to: '/answers' },
  },
  {
    key: 'notices',
    name: 'Notices',
    words: 'windows, law, letter, renewal notice',
    icon: ExclamationTriangleIcon,
    destination: { to: '/notices' },
  },
  { key: 'notifications', name: 'Notifications', icon: BellIcon, destination: { to: '/notifications' } },
  {
    key: 'texts',
    name: 'Email Templates',
    words: 'message texts',
    icon: FileTextIcon,
    destination: { to: '/notifications/texts' },
  },
  {
    key: 'settings',
    name: 'Notification Settings',
    words: 'reminder settings',
    icon: GearIcon,
    destination: { to: '/notifications/settings' },
  },
  { key: 'company', name: 'Company', icon: HomeIcon, destination: { to: '/company' } },
  { key: 'tags', name: 'Tags', words: 'labels, rename', icon: BookmarkIcon, destination: { to: '/tags' } },
  { key: 'trash', name: 'Trash', words: 'deleted, restore', icon: TrashIcon, destination: { to: '/trash' } },
  {
    key: 'profile',
    name: 'Profile',
    words: 'account settings, plan, billing, subscription, card, time zone, api keys',
    icon: PersonIcon,
    destination: { to: '/profile' },
  },
  {
    key: 'security',
    name: 'Security',
    words: 'password, two-factor sign-in, sessions',
    icon: LockClosedIcon,
    destination: { to: '/profile/security' },
  },
]

const ADDITIONS: PaletteEntry[] = [
  { key: 'add-customer', name: 'Add Customer', icon: PlusIcon, destination: { to: '/customers', open: 'new' } },
  { key: 'add-contract', name: 'Add Contract', icon: PlusIcon, destination: { to: '/contracts', open: 'new' } },
]

const EXPORT: PaletteEntry = {
  key: 'export',
  name: 'Export Everything',
  words: 'download data',
  icon: CubeIcon,
  destination: { to: '/profile', hash: 'your-data' },
}

const IMPORT_ARCHIVE: PaletteEntry = {
  key: 'import-archive',
  name: 'Import an Archive',
  words: 'upload data, move account',
  icon: UploadIcon,
  destination: { to: '/profile', hash: 'your-data' },
}

const SIGN_OUT: PaletteEntry = {
  key: 'sign-out',
  name: 'Sign Out',
  words: 'log out',
  icon: ExitIcon,
  destination: 'sign-out',
}

/** The entries that need no server and match the text. */
export function knownSections(text: string, otherScheme: 'light' | 'dark'): PaletteSection[] {
  const theme: PaletteEntry = {
    key: 'theme',
    name: otherScheme === 'dark' ? 'Switch to Dark Mode' : 'Switch to Light Mode',
    words: 'theme',
    icon: MoonIcon,
    destination: 'switch-theme',
  }
  return [
    { title: 'Go to', entries: matchingEntries(SCREENS, text) },
    { title: 'Add', entries: matchingEntries(ADDITIONS, text) },
    { title: 'Other', entries: matchingEntries([EXPORT, IMPORT_ARCHIVE, theme, SIGN_OUT], text) },
  ]
}

export function matchingEntries(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const folded = foldText(text)
  return entries.filter(({ name, words = '' }) => [name, words].some((one) => foldText(one).includes(folded)))
}
