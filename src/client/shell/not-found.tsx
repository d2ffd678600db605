import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FrontCard } from '#client/ui/cards/front-card.tsx'

/** The page for an unknown address, with links to where people may want to go. */
export function NotFound({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <FrontCard footer={<Ask />}>
      <Stack ta="center">
        <Title order={1} size="h2">
          Page not found
        </Title>
        <Text c="dimmed">There is nothing at this address. It may be mistyped, or the page may have moved.</Text>
        {isSignedIn ? (
          <Button renderRoot={(props) => <Link to="/dashboard" {...props} />}>Go to Dashboard</Button>
        ) : (
          <>
            <Button component="a" href="/">
              Go to the Home Page
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/sign-in/$" params={{ _splat: '' }} {...props} />}
            >
              Sign In
            </Button>
          </>
        )}
      </Stack>
    </FrontCard>
  )
}

function Ask() {
  return (
    <Text c="dimmed">
      Looking for something?{' '}
      <Anchor underline="always" href="/help">
        Read the help page
      </Anchor>{' '}
      or{' '}
      <Anchor underline="always" href="/contact">
        contact us
      </Anchor>
      .
    </Text>
  )
}
