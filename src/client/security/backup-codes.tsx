import '@mantine/core/styles/Code.layer.css'
import { Alert, Button, Code, Group, SimpleGrid, Stack } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

interface BackupCodesProps {
  codes: string[]
  onDone: () => void
}

/** Codes for signing in without the phone, shown this once. */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const { copy, copied } = useClipboard()
  return (
    <Stack>
      <Alert color="yellow" role="status">
        Keep these somewhere you can reach without your phone. Each code works once instead of your authenticator app.
        They will not be shown again.
      </Alert>
      <SimpleGrid
        component="ul"
        cols={2}
        spacing="xs"
        m={0}
        p={0}
        aria-label="Backup codes"
        style={{ listStyle: 'none' }}
      >
        {codes.map((code) => (
          <Code component="li" key={code} ta="center" fz="md">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => copy(codes.join('\n'))}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
