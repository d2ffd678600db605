import { Anchor, Button, Stack } from '@mantine/core'
import { createFileRoute, Link } from '@tanstack/react-router'
import { AnswerSettingsForm } from '#client/answers/answer-settings.tsx'
import { ProofHeadForm } from '#client/reminders/settings/proof-head-form.tsx'
import { NoticeRulesSection } from '#client/notices/notice-rules-section.tsx'
import { SettingsScreen } from '#client/reminders/settings/settings-screen.tsx'
import { RenewalSettingsForm } from '#client/renewals/renewal-settings.tsx'

export const Route = createFileRoute('/_app/_reminders/notifications_/settings')({
  staticData: { title: 'Notification Settings' },
  loader: ({ context: { trpcUtils } }) => {
    void trpcUtils.reminders.settings.prefetch()
    void trpcUtils.reminders.mailLimits.prefetch()
    void trpcUtils.contracts.renewalSettings.prefetch()
    void trpcUtils.answers.settings.prefetch()
    void trpcUtils.reminders.proofHead.prefetch()
    void trpcUtils.noticeRules.list.prefetch()
  },
  component: SettingsRoute,
})

function SettingsRoute() {
  return (
    <Stack gap="lg">
      <SettingsScreen
        timeZoneLink={
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/profile" {...props} />}>
            Change the time zone
          </Anchor>
        }
        planLink={
          <Anchor inherit underline="always" renderRoot={(props) => <Link to="/profile" {...props} />}>
            Your plan
          </Anchor>
        }
      >
        <Button variant="default" renderRoot={(props) => <Link to="/company" {...props} />}>
          Company
        </Button>
      </SettingsScreen>
      <RenewalSettingsForm />
      <AnswerSettingsForm />
      <ProofHeadForm />
      <NoticeRulesSection />
    </Stack>
  )
}
