import { Group, Stack, Text } from '@mantine/core'
import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { FormSection } from '#client/ui/cards/form-section.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { onDemand } from '#client/ui/on-demand.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { NoticeChoices } from './notice-choices.tsx'
import type { NoticeRule, NoticeRules } from './notice-words.ts'
import { RemoveRule } from './remove-rule.tsx'
import { RuleEntry } from './rule-entry.tsx'

const RuleDialog = onDemand(async () => (await import('./rule-dialog.tsx')).RuleDialog)
const AdoptDialog = onDemand(async () => (await import('./adopt-dialog.tsx')).AdoptDialog)

/** The account's rules about notices, and for what they are chosen. */
export function NoticeRulesSection() {
  const rules = trpc.noticeRules.list.useQuery()
  return (
    <>
      <QueryError query={rules} failed="Failed to load notice rules" />
      {rules.isPending && <Placeholder heights={[200]} />}
      {rules.data && <Loaded saved={rules.data} />}
    </>
  )
}

function Loaded({ saved }: { saved: NoticeRules }) {
  const { rules, advice, presets } = saved
  const editing = useDialogAbout<NoticeRule | 'new'>()
  const adopting = useDialogAbout<'law'>()
  const removal = useDialogAbout<NoticeRule>()
  return (
    <FormSection
      title="Notice Rules"
      hint="Some contracts only renew by themselves if the customer is told between certain days. A rule says which days those are. It applies to nothing until you choose it."
    >
      {rules.length === 0 && <Text size="sm">You have no rules yet.</Text>}
      {rules.length > 0 && (
        <Stack component="ul" gap="md" m={0} p={0} aria-label="Notice rules" style={{ listStyle: 'none' }}>
          {rules.map((rule) => (
            <RuleEntry
              key={rule.id}
              rule={rule}
              advice={advice}
              onChange={() => editing.open(rule)}
              onRemove={() => removal.open(rule)}
            />
          ))}
        </Stack>
      )}
      <Group gap="sm">
        <ChangeButton variant="default" onClick={() => editing.open('new')}>
          Add Rule
        </ChangeButton>
        <ChangeButton variant="default" onClick={() => adopting.open('law')}>
          Add From a Law
        </ChangeButton>
      </Group>
      {rules.length > 0 && <NoticeChoices saved={saved} />}
      <RuleDialog.Part wanted={editing.opened} opened={editing.opened} rule={editing.about} onClose={editing.close} />
      <AdoptDialog.Part
        wanted={adopting.opened}
        opened={adopting.opened}
        presets={presets}
        advice={advice}
        onClose={adopting.close}
      />
      <RemoveRule opened={removal.opened} rule={removal.about} onClose={removal.close} />
    </FormSection>
  )
}
