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
        Keep these where you find them without your phone. Each signs you in once in place of the app. They cannot be
        shown again.
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
