import '@mantine/core/styles/List.layer.css'
import { Alert, List, Loader, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { formatCount, formatDay } from '#client/text/format.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { hourText, lineText, occasionText, type Settings, type SettingsDraft } from '#client/mail/reminder-words.ts'

const PAUSE_MS = 250

type Preview = Outputs['reminders']['previewSettings']

/** Shows what saving would change. */
export function SettingsPreview({ draft, saved }: { draft: SettingsDraft; saved: Settings }) {
  const [asked] = useDebouncedValue(draft, PAUSE_MS)
  const preview = trpc.reminders.previewSettings.useQuery(asked, { placeholderData: keepPreviousData })
  // Optional: saving works without it.
  if (preview.isError) return null
  return (
    <Alert color="cobalt" role="status" title="What saving would change in the next 90 days">
      {preview.data ? (
        <div style={{ opacity: preview.isPlaceholderData ? 0.6 : 1 }} aria-busy={preview.isPlaceholderData}>
          <Side preview={preview.data} side="added" />
          <Side preview={preview.data} side="removed" />
          {preview.data.added.count + preview.data.removed.count === 0 && (
            <Text size="sm">{unchangedText(preview.data)}</Text>
          )}
          {draft.hour !== saved.hour && (
            <Text size="sm">
              Messages would go out at {hourText(draft.hour)} instead of {hourText(saved.hour)}.
            </Text>
          )}
        </div>
      ) : (
        <Loader size="xs" role="status" aria-label="Loading..." />
      )}
    </Alert>
  )
}

const WORDS = { added: 'more', removed: 'fewer' }

function Side({ preview, side }: { preview: Preview; side: 'added' | 'removed' }) {
  const { count, first } = preview[side]
  if (count === 0) return null
  const messages = `${formatCount(count)} ${WORDS[side]} ${count === 1 ? 'message' : 'messages'}`
  return (
    <>
      <Text size="sm" fw={600}>
        {preview.onlyFirst === null ? messages : `At least ${messages}`}
      </Text>
      <List size="sm" mb="xs">
        {first.map((message) => (
          <List.Item key={Object.values(message).join(' ')}>
            {message.customerName}: {occasionText(message)}, on {formatDay(message.day)} ({lineText(message)})
          </List.Item>
        ))}
        {count > first.length && <List.Item>and {formatCount(count - first.length)} more</List.Item>}
      </List>
    </>
  )
}

function unchangedText({ onlyFirst }: Preview): string {
  if (onlyFirst === null) return 'The same messages would be sent.'
  return `For the first ${formatCount(onlyFirst)} contracts, the same messages would be sent.`
}
