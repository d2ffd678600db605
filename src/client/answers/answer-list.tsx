import { Badge, Group, Stack, Text } from '@mantine/core'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import type { ReactNode } from 'react'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { CertificateOf } from '#client/mail/certificate-button.tsx'
import { browserTimeZone, formatInstant } from '#client/text/format.ts'
import { DetailList } from '#client/ui/detail-list.tsx'
import { onDemand, whenButtonNears } from '#client/ui/on-demand.tsx'
import { answerDetails, answerTitle, CHOICE_WORDS, stateBadge, type Answer } from './answer-words.ts'
import classes from './answers.module.css'

const Accept = onDemand(async () => (await import('./accept-dialog.tsx')).AcceptDialog)
const Decline = onDemand(async () => (await import('./decline-dialog.tsx')).DeclineDialog)

interface AnswerListProps {
  answers: readonly Answer[]
  /** The name of an answer as a link to its contract; on the contract's own page there is none. */
  link?: (answer: Answer, title: string) => ReactNode
}

/** What customers answered, with the buttons to accept or decline those that wait. */
export function AnswerList({ answers, link = () => null }: AnswerListProps) {
  const accept = useDialogAbout<Answer>()
  const decline = useDialogAbout<Answer>()
  const prefetch = () => {
    Accept.prefetch()
    Decline.prefetch()
  }
  return (
    <>
      <ul className={classes.list} {...whenButtonNears(prefetch)}>
        {answers.map((answer) => (
          <AnswerItem
            key={answer.id}
            answer={answer}
            title={link(answer, answerTitle(answer))}
            onAccept={() => accept.open(answer)}
            onDecline={() => decline.open(answer)}
          />
        ))}
      </ul>
      <Accept.Part wanted={accept.opened} opened={accept.opened} answer={accept.about} onClose={accept.close} />
      <Decline.Part wanted={decline.opened} opened={decline.opened} answer={decline.about} onClose={decline.close} />
    </>
  )
}

interface AnswerItemProps {
  answer: Answer
  title: ReactNode
  onAccept: () => void
  onDecline: () => void
}

function AnswerItem({ answer, title, onAccept, onDecline }: AnswerItemProps) {
  const { choice, words, reply, isImported } = answer
  const badge = stateBadge(answer)
  return (
    <li className={classes.item}>
      <Stack gap="sm">
        <Group gap="sm">
          {title}
          <Text fw={600}>{CHOICE_WORDS[choice]}</Text>
          <Badge color={badge.color}>{badge.text}</Badge>
          {isImported && <Badge color="gray">Imported</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {answeredText(answer)}
        </Text>
        {words !== null && <Quote label="The customer wrote" text={words} />}
        <DetailList details={answerDetails(answer)} />
        {reply !== null && <Quote label="You wrote" text={reply} />}
        <AnswerActs answer={answer} onAccept={onAccept} onDecline={onDecline} />
      </Stack>
    </li>
  )
}

/** With its number, by which certificates name it. */
function answeredText({ id, answeredAt, isImported }: Answer): string {
  const when = `Answer ${id}, given ${formatInstant(answeredAt, browserTimeZone())}`
  return isImported ? `${when}, as an imported archive says. It has no certificate.` : when
}

function AnswerActs({ answer, onAccept, onDecline }: Omit<AnswerItemProps, 'title'>) {
  const { id, choice, state, isOvertaken, hasCertificate } = answer
  const isWaiting = state === 'waiting'
  if (!isWaiting && !hasCertificate) return null
  return (
    <Group gap="sm">
      {isWaiting && !isOvertaken && <ChangeButton onClick={onAccept}>Accept</ChangeButton>}
      {isWaiting && (
        <ChangeButton variant="default" onClick={onDecline}>
          {isOvertaken ? 'Dismiss' : 'Decline'}
        </ChangeButton>
      )}
      {hasCertificate && (
        <CertificateOf
          path={`/answers/${id}/certificate`}
          of={`${answerTitle(answer)}, ${CHOICE_WORDS[choice]}`}
          size="sm"
        />
      )}
    </Group>
  )
}

function Quote({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.quote}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text>{text}</Text>
    </div>
  )
}
