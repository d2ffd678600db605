import { NativeSelect, Stack, Text, Title } from '@mantine/core'
import { CaretSortIcon } from '@radix-ui/react-icons'
import { trpc } from '#client/api/trpc.ts'
import { counted } from '#client/text/counted.ts'
import { useReadOnlyReason } from '#client/api/use-read-only.ts'
import { useState } from 'react'
import type { NoticeRules } from './notice-words.ts'
import { RuleSelect } from './rule-select.tsx'

/** For which contracts the rules are chosen. */
export function NoticeChoices({ saved }: { saved: NoticeRules }) {
  const { rules, chosen } = saved
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Where they apply
      </Title>
      <Text size="sm" c="dimmed">
        The most specific choice counts: for the contract, then for its customer, a tag, and all contracts. If several
        tags have a rule, the oldest rule counts.
      </Text>
      <RuleSelect
        label="All contracts"
        rules={rules}
        target={{}}
        own={chosen.account ?? 'inherited'}
        inherited="No rule"
        canBeNone={false}
      />
      {chosen.tags.map(({ tag, rule }) => (
        <RuleSelect
          key={tag}
          label={`Tag "${tag}"`}
          rules={rules}
          target={{ tag }}
          own={rule ?? 'none'}
          inherited="Same as for all contracts"
        />
      ))}
      <AnotherTag saved={saved} />
      <Text size="sm" c="dimmed">
        {`On their own pages, a rule is chosen for ${counted(chosen.customers, 'customers')} and ${counted(chosen.contracts, 'contracts')}.`}
      </Text>
    </Stack>
  )
}

/** A tag for which no rule is chosen yet. */
function AnotherTag({ saved: { rules, chosen } }: { saved: NoticeRules }) {
  const tags = trpc.tags.list.useQuery()
  const [added, setAdded] = useState<string>()
  const isReadOnly = useReadOnlyReason() !== undefined
  const isChosen = (tag: string) => chosen.tags.some((one) => one.tag === tag)
  const others = (tags.data ?? []).map(({ name }) => name).filter((name) => !isChosen(name) && name !== added)
  return (
    <>
      {added !== undefined && !isChosen(added) && (
        <RuleSelect
          label={`Tag "${added}"`}
          rules={rules}
          target={{ tag: added }}
          own="inherited"
          inherited="Same as for all contracts"
        />
      )}
      {others.length > 0 && (
        <NativeSelect
          label="Choose for another tag"
          maw={420}
          disabled={isReadOnly}
          rightSection={<CaretSortIcon aria-hidden />}
          data={[{ value: '', label: 'Choose a tag' }, ...others]}
          value=""
          onChange={({ currentTarget: { value } }) => setAdded(value || undefined)}
        />
      )}
    </>
  )
}
