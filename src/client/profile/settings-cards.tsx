import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { Button, SegmentedControl, SimpleGrid, Text, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Card } from '#client/ui/cards/card.tsx'

/** The categories of settings. */
export function SettingsCards() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="lg">
      <Card title="Company">
        <Text c="dimmed">Name, logo, and addresses, as your customers see them.</Text>
        <Button variant="default" mt="auto" renderRoot={(props) => <Link to="/company" {...props} />}>
          Company Settings
        </Button>
      </Card>
      <Card title="Notifications">
        <Text c="dimmed">Which reminders go out, when, and to whom.</Text>
        <Button variant="default" mt="auto" renderRoot={(props) => <Link to="/notifications/settings" {...props} />}>
          Notification Settings
        </Button>
      </Card>
      <Card title="Security">
        <Text c="dimmed">Your password, two-factor sign-in, and where you are signed in.</Text>
        <Button variant="default" mt="auto" renderRoot={(props) => <Link to="/profile/security" {...props} />}>
          Security Settings
        </Button>
      </Card>
      <Appearance />
    </SimpleGrid>
  )
}

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Card title="Appearance">
      <Text c="dimmed">Light, dark, or the same as your device.</Text>
      <SegmentedControl
        mt="auto"
        aria-label="Color scheme"
        data={[...SCHEMES]}
        value={colorScheme}
        onChange={(value) => setColorScheme(SCHEMES.find((scheme) => scheme.value === value)?.value ?? 'auto')}
      />
    </Card>
  )
}
