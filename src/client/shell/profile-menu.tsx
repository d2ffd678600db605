import { Loader, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { EnvelopeClosedIcon, ExitIcon, MixerHorizontalIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'
import type { Named } from '#shared/ahead.ts'
import { Dropdown } from '#client/ui/dropdown.tsx'
import classes from '#client/ui/dropdown.module.css'
import { Initials } from '#client/ui/initials.tsx'

interface ProfileMenuProps {
  person: Named | undefined
  signingOut: boolean
  onSignOut: () => void
}

/** Who is signed in, and what is theirs alone. */
export function ProfileMenu({ person, signingOut, onSignOut }: ProfileMenuProps) {
  const email = person?.email ?? ''
  return (
    <Dropdown
      role="menu"
      label="Profile menu"
      width={240}
      trigger={(trigger) => (
        <UnstyledButton ml={4} bdrs="xl" disabled={signingOut} {...trigger}>
          {signingOut ? <Loader size="sm" aria-hidden /> : <Initials>{initials(person?.name || email)}</Initials>}
          <VisuallyHidden>{signingOut ? 'Signing out...' : 'Profile menu'}</VisuallyHidden>
        </UnstyledButton>
      )}
    >
      {(close) => (
        <>
          <div className={classes.label}>{email}</div>
          <Link to="/profile" role="menuitem" className={classes.item ?? ''} onClick={close}>
            <MixerHorizontalIcon aria-hidden />
            Settings
          </Link>
          <Link to="/reminders" role="menuitem" className={classes.item ?? ''} onClick={close}>
            <EnvelopeClosedIcon aria-hidden />
            Reminders
          </Link>
          <button
            type="button"
            role="menuitem"
            className={classes.item}
            onClick={() => {
              close()
              onSignOut()
            }}
          >
            <ExitIcon aria-hidden />
            Sign Out
          </button>
        </>
      )}
    </Dropdown>
  )
}

function initials(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/)
  return (first.charAt(0) + (rest.at(-1)?.charAt(0) ?? '')).toUpperCase()
}
