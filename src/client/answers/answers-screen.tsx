import '@mantine/core/styles/Tabs.layer.css'
import { Box, Paper, Stack, Tabs } from '@mantine/core'
import { CheckIcon, EnvelopeOpenIcon } from '@radix-ui/react-icons'
import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ANSWER_LISTS, type AnswerList as Shown } from '#shared/schemas/answer-lists.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { positionOf, START } from '#client/list/list-position.ts'
import { useListPager } from '#client/list/use-list-pager.ts'
import { formatCount } from '#client/text/format.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { ErrorState } from '#client/ui/error-state.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { TableSkeleton } from '#client/ui/lists/table-skeleton.tsx'
import { PageHeader } from '#client/ui/page-header.tsx'
import { AnswerList } from './answer-list.tsx'
import type { Answer } from './answer-words.ts'
import type { AnswersSearch } from './answers-search.ts'

interface AnswersScreenProps {
  search: AnswersSearch
  onSearch: (changes: Partial<AnswersSearch>) => void
  link: (answer: Answer, title: string) => ReactNode
  /** Leads to how customers answer. */
  settingsLink: ReactNode
}

const NAMES: Record<Shown, string> = { waiting: 'Waiting for you', answered: 'Done' }

/** What customers answered to reminders. */
export function AnswersScreen({ search, onSearch, link, settingsLink }: AnswersScreenProps) {
  const waiting = trpc.answers.list.useQuery(tabInput('waiting', search), { placeholderData: keepPreviousData })
  const answered = trpc.answers.list.useQuery(tabInput('answered', search), { placeholderData: keepPreviousData })
  const queries = { waiting, answered }
  const failure = waiting.error ?? answered.error
  return (
    <Stack gap="lg">
      <PageHeader title="Answers" description="What customers answered to your reminders">
        {settingsLink}
      </PageHeader>
      <Paper withBorder>
        <Tabs
          value={search.show}
          onChange={(value) => onSearch({ ...START, show: value === 'answered' ? 'answered' : 'waiting' })}
          keepMounted={false}
        >
          <Tabs.List px="md" pt="xs" aria-label="Answers">
            {ANSWER_LISTS.map((value) => (
              <Tabs.Tab key={value} value={value}>
                {queries[value].data ? `${NAMES[value]} (${formatCount(queries[value].data.total)})` : NAMES[value]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {ANSWER_LISTS.map((value) => (
            <Tabs.Panel key={value} value={value}>
              <Page show={value} query={queries[value]} failed={failure !== null} {...{ search, onSearch, link }} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
      {failure && (
        <ErrorState
          over={!waiting.isLoadingError && !answered.isLoadingError}
          message={failureText(failure, { failed: 'Failed to fetch answers' })}
          retrying={waiting.isFetching || answered.isFetching}
          onRetry={() => void Promise.all([waiting.refetch(), answered.refetch()])}
        />
      )}
    </Stack>
  )
}

/** What the server is asked for a tab; of the one that is not shown, the first page. */
function tabInput(show: Shown, search: AnswersSearch) {
  const { page: _page, ...position } = show === search.show ? positionOf(search) : { page: 1, skip: 0 }
  return { show, ...position }
}

interface PageProps extends Pick<AnswersScreenProps, 'search' | 'onSearch' | 'link'> {
  show: Shown
  query: { data: Outputs['answers']['list'] | undefined; isPlaceholderData: boolean }
  failed: boolean
}

function Page({ show, query, failed, search, onSearch, link }: PageProps) {
  const pager = useListPager(query, search, onSearch)
  const answers = query.data?.rows
  if (answers === undefined) return failed ? null : <TableSkeleton />
  return (
    <>
      {answers.length === 0 ? <NoAnswers show={show} /> : <AnswerList answers={answers} link={link} />}
      {pager && pager.pages.count > 1 && (
        <Box p="md">
          <Pager {...pager} />
        </Box>
      )}
    </>
  )
}

const ICON_SIZE = { width: 20, height: 20 }

function NoAnswers({ show }: { show: Shown }) {
  if (show === 'waiting') {
    return (
      <EmptyState title="No answers are waiting" hint="You're all caught up!" icon={<CheckIcon {...ICON_SIZE} />} />
    )
  }
  return (
    <EmptyState
      title="No answers here yet"
      hint="Each reminder to a customer has a link for answering it: renew, ask for a change, or do not renew."
      icon={<EnvelopeOpenIcon {...ICON_SIZE} />}
    />
  )
}
