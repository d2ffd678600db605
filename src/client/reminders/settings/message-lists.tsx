import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import type { Outputs } from '#client/api/trpc.ts'
import { CertificateButton } from '#client/mail/certificate-button.tsx'
import { lineText, occasionText, stateOf, waitText } from '#client/mail/reminder-words.ts'
import { formatDay } from '#client/text/format.ts'

const SHORT = 3

type Reminders = Pick<Outputs['reminders']['ofContract'], 'next' | 'history'>
type Subject = Pick<Reminders['history'][number], 'contractId' | 'renewalDate'>

interface MessageListsProps extends Reminders {
  /** Says about which contract a message is, where they are about several. */
  about?: (message: Subject) => ReactNode
}

// Long text beside it shrinks.
const WHOLE = { flex: 'none' }

/** Messages that are planned and that were sent, the first of each list until all are asked for. */
export function MessageLists({ next, history, about }: MessageListsProps) {
  return (
    <>
      <Rows title="Next" none="Nothing is planned in the next 90 days">
        {next.map((message) => (
          <Row
            key={[
              message.contractId,
              message.kind,
              message.offset,
              message.recipient,
              message.contactId,
              message.channel,
            ].join(' ')}
            text={`${formatDay(message.day)}: ${occasionText(message)}`}
            line={lineText(message)}
            about={about?.(message)}
            badge={
              <Badge color={message.obstacle ? 'yellow' : 'gray'} style={WHOLE}>
                {message.obstacle ? 'Will be skipped' : 'Planned'}
              </Badge>
            }
            note={message.obstacle}
          />
        ))}
      </Rows>
      <Rows title="History" none="Nothing yet">
        {history.map((message) => (
          <Row
            key={message.id}
            text={`${formatDay(message.day)}: ${occasionText(message)}`}
            line={lineText(message)}
            about={about?.(message)}
            badge={
              <Badge color={stateOf(message).color} style={WHOLE}>
                {stateOf(message).label}
              </Badge>
            }
            note={message.reason ?? waitText(message)}
            action={message.hasCertificate && <CertificateButton message={message} size="compact-sm" />}
          />
        ))}
      </Rows>
    </>
  )
}

function Rows({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  const heading = useId()
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? children : children.slice(0, SHORT)
  return (
    <div>
      <Text size="sm" c="dimmed" id={heading}>
        {title}
      </Text>
      {children.length === 0 && <Text size="sm">{none}</Text>}
      <Stack component="ul" gap={6} p={0} m={0} aria-labelledby={heading} style={{ listStyle: 'none' }}>
        {shown}
      </Stack>
      {children.length > shown.length && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setIsWhole(true)}>
          Show All {children.length}
        </Button>
      )}
    </div>
  )
}

interface RowProps {
  text: string
  line: string
  /** About which contract it is. */
  about: ReactNode
  badge: ReactNode
  note: string | null
  /** What can be done, below the text. */
  action?: ReactNode
}

function Row({ text, line, about, badge, note, action }: RowProps) {
  return (
    <Group component="li" gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm">
          {text}
          <Text component="span" size="sm" c="dimmed">
            {` (${line})`}
          </Text>
          {about}
          {note && (
            <Text component="span" display="block" size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </Text>
        {action}
      </div>
      {badge}
    </Group>
  )
}
