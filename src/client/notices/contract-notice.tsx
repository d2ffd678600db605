import { Group, Stack, Text } from '@mantine/core'
import { addDays } from '#shared/domain/day.ts'
import { NOTICE_DAYS } from '#shared/schemas/notice-lists.ts'
import { QueryError } from '#client/api/query-error.tsx'
import { useAccountToday } from '#client/api/use-account-today.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { formatDay } from '#client/text/format.ts'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { ClosingSoon } from './closing-soon.tsx'
import { LetterButton, MailedButton, NotPrinted } from './letter-buttons.tsx'
import { meansText, missedText, proofText, type Notice, type NoticeRule } from './notice-words.ts'
import { Law } from './rule-entry.tsx'
import { RuleSelect } from './rule-select.tsx'

const Post = onDemand(async () => (await import('./post-dialog.tsx')).PostDialog)

/** Between which days a contract's customer must be given notice; nothing in an account without rules. */
export function ContractNotice({ contractId }: { contractId: number }) {
  const rules = trpc.noticeRules.list.useQuery()
  if (rules.data ? rules.data.rules.length === 0 : !rules.isError) return null
  return (
    <PageSection title="Notice">
      <QueryError query={rules} failed="Failed to load the notice rules" />
      {rules.data && <Loaded contractId={contractId} rules={rules.data.rules} />}
    </PageSection>
  )
}

function Loaded({ contractId, rules }: { contractId: number; rules: readonly NoticeRule[] }) {
  const notice = trpc.noticeRules.ofContract.useQuery({ id: contractId })
  return (
    <>
      <QueryError query={notice} failed="Failed to load the notice window" />
      {notice.isPending && <Placeholder heights={[80]} />}
      {notice.data && (
        <Stack gap="sm">
          <Window notice={notice.data} />
          {notice.data.window && <State contractId={contractId} />}
          <RuleSelect
            label="Notice rule of this contract"
            rules={rules}
            target={{ contractId }}
            own={notice.data.own}
            inherited="Same as for its customer, tags, or all contracts"
          />
        </Stack>
      )}
    </>
  )
}

/** Whether notice was given, or the window is over or about to close without; nothing where none of these is so. */
function State({ contractId }: { contractId: number }) {
  const today = useAccountToday()()
  const { data, ...query } = trpc.notices.ofContract.useQuery({ id: contractId })
  if (query.isError) return <QueryError query={query} failed="Failed to load the notice" />
  if (!data?.notice) return null
  const { notice, isGiven } = data
  if (isGiven) return <Text size="sm">{`Notice was given. ${proofText(notice)}`}</Text>
  return (
    <>
      {notice.through < today && <Text fw={500}>{missedText(notice.consequence)}</Text>}
      {notice.warning && <ClosingSoon warning={notice.warning} />}
      <Letter notice={notice} />
    </>
  )
}

/** Where letters count: the letter until the window closes, and once the window is open, that it was mailed. */
function Letter({ notice }: { notice: Notice }) {
  const today = useAccountToday()()
  const posting = useDialogAbout<Notice>()
  const { from, through, means } = notice
  if (!means.includes('letter') || from > addDays(today, NOTICE_DAYS)) return null
  return (
    <Group gap="xs">
      {today <= through && <NotPrinted notice={notice} />}
      {today <= through && <LetterButton notice={notice} />}
      {from <= today && <MailedButton notice={notice} onPost={() => posting.open(notice)} />}
      <Post.Part wanted={posting.opened} opened={posting.opened} notice={posting.about} onClose={posting.close} />
    </Group>
  )
}

function Window({ notice }: { notice: Outputs['noticeRules']['ofContract'] }) {
  const { rule, window, derivation, advice } = notice
  const today = useAccountToday()()
  if (!rule) return <Text>No notice rule applies to this contract.</Text>
  const isOver = window !== null && window.through < today
  return (
    <Stack gap={2}>
      <Text>
        {window
          ? `The customer ${isOver ? 'had to' : 'must'} be told between ${formatDay(window.from)} and ${formatDay(window.through)}, ${meansText(rule.means)}`
          : noWindowText(notice)}
      </Text>
      <Text size="sm" c="dimmed">
        {window && derivation ? `${countedText(derivation)}. ` : ''}
        {`Rule "${rule.name}", chosen for ${chosenText(notice)}.`}
        {isOver ? '' : ` Without notice: ${rule.consequence}.`}
      </Text>
      <Law rule={rule} advice={advice} />
    </Stack>
  )
}

/** Where it is not known when notice is due, that must not read as if none were. */
function noWindowText({ derivation, remedy }: Outputs['noticeRules']['ofContract']): string {
  return remedy === null
    ? `No notice is due: ${derivation}`
    : `The notice window cannot be computed: ${derivation}. ${remedy}.`
}

function chosenText({ chosenFor, tag }: Outputs['noticeRules']['ofContract']): string {
  if (chosenFor === 'contract') return 'this contract'
  if (chosenFor === 'customer') return 'its customer'
  return chosenFor === 'tag' ? `the tag "${tag}"` : 'all contracts'
}

/** How the days were counted, without naming them again. */
function countedText(derivation: string): string {
  return derivation.slice(derivation.indexOf(': ') + 2)
}
