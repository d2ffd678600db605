import '@mantine/core/styles/List.layer.css'
import { Button, Group, List, Text } from '@mantine/core'
import { DownloadIcon } from '@radix-ui/react-icons'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { download } from '#client/api/download.ts'
import { failureText } from '#client/api/failure-text.ts'
import { useGetToken } from '#client/identity/session-context.tsx'
import { useReverified } from '#client/api/use-reverified.ts'
import { toastFailure, toastSuccess } from '#client/ui/toasts/toasts.tsx'
import { Card } from '#client/ui/cards/card.tsx'

interface DataCardProps {
  /** The button that imports such a file. */
  importing?: ReactNode
}

/** The export of the whole account. */
export function DataCard({ importing }: DataCardProps) {
  const getToken = useGetToken()
  const { reverified } = useReverified()
  const saving = useMutation({
    mutationFn: () => reverified(() => download({ path: '/export' }, getToken)),
    onSuccess: (name) => toastSuccess(`Downloaded ${name}`),
    onError: (error) => toastFailure(failureText(error, { failed: 'Failed to export your data' })),
  })
  return (
    <Card title="Your data" id="your-data">
      <Text c="dimmed">Everything in your account, as one zip file:</Text>
      <List size="sm" spacing={4}>
        <List.Item>
          your customers, contracts, notifications, reminders, and imports, as CSV for spreadsheets and as JSON
        </List.Item>
        <List.Item>the PDFs of your contracts</List.Item>
        <List.Item>the certificates of notices and of customers' answers, as PDFs</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        You can import this file into an account without customers or contracts. API keys, billing, notifications,
        certificates, and the list of imports are not imported. The CSV files of customers and contracts can be uploaded
        in any account.
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<DownloadIcon aria-hidden />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Export Everything
        </Button>
        {importing}
      </Group>
    </Card>
  )
}
