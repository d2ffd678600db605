import { Loader, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { usePersonName, useSignOut } from '#client/identity/session-context.tsx'
import { Dropdown } from '#client/ui/dropdown.tsx'
import { Initials } from '#client/ui/initials.tsx'
import { onDemand } from '#client/ui/on-demand.tsx'

const Items = onDemand(async () => (await import('./profile-menu-items.tsx')).ProfileMenuItems)

/** Who is signed in, with settings and sign-out. */
export function ProfileMenu() {
  const person = usePersonName()
  const { signOut, isSigningOut } = useSignOut()
  const email = person?.email ?? ''
  return (
    <Dropdown
      role="menu"
      label="Profile menu"
      width={240}
      trigger={(trigger) => (
        <UnstyledButton
          ml={4}
          bdrs="xl"
          disabled={isSigningOut}
          onPointerEnter={Items.prefetch}
          onFocus={Items.prefetch}
          {...trigger}
        >
          {isSigningOut ? <Loader size="sm" aria-hidden /> : <Initials>{initials(person?.name || email)}</Initials>}
          <VisuallyHidden>{isSigningOut ? 'Signing out...' : 'Profile menu'}</VisuallyHidden>
        </UnstyledButton>
      )}
    >
      {(close) => <Items.Part wanted email={email} onSignOut={signOut} onClose={close} />}
    </Dropdown>
  )
}

function initials(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/)
  return (first.charAt(0) + (rest.at(-1)?.charAt(0) ?? '')).toUpperCase()
}
