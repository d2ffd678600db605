import '@mantine/core/styles/List.layer.css'
import { List } from '@mantine/core'
import { CheckIcon } from '@radix-ui/react-icons'
import classes from './plan-features.module.css'

const FEATURES = [
  'Unlimited contracts and clients',
  'Automated renewal reminders',
  'Revenue analytics and dashboards',
  'Email notifications',
  'Priority support',
  '14-day money-back guarantee',
]

export function PlanFeatures() {
  return (
    <List spacing="xs" center icon={<CheckIcon width={18} height={18} className={classes.check ?? ''} aria-hidden />}>
      {FEATURES.map((feature) => (
        <List.Item key={feature} lh="xs">
          {feature}
        </List.Item>
      ))}
    </List>
  )
}
