import { useUser } from '@clerk/clerk-react'
import { Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { ExitIcon, GearIcon } from '@radix-ui/react-icons'
import { Link } from '@tanstack/react-router'

/** Who is signed in, and what is theirs alone. */
export function ProfileMenu({ onSignOut }: { onSignOut: () => void }) {
  const { user } = useUser()
  const email = user?.primaryEmailAddress?.emailAddress ?? ''
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton ml={4} bdrs="xl">
          <Avatar size={34} radius="xl" color="cobalt">
            {initials(user?.fullName || email)}
          </Avatar>
          <VisuallyHidden>Profile menu</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{email}</Menu.Label>
        <Menu.Item leftSection={<GearIcon />} renderRoot={(props) => <Link to="/profile" {...props} />}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<ExitIcon />} onClick={onSignOut}>
          Sign Out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function initials(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/)
  return (first.charAt(0) + (rest.at(-1)?.charAt(0) ?? '')).toUpperCase()
}
