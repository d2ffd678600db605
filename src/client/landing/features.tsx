import {
  BarChartIcon,
  BellIcon,
  ChatBubbleIcon,
  DownloadIcon,
  FileTextIcon,
  LockClosedIcon,
  PersonIcon,
  UpdateIcon,
  UploadIcon,
} from '@radix-ui/react-icons'
import { FEATURES, RENEWALS } from './content.ts'

const ICONS = {
  bell: BellIcon,
  chart: BarChartIcon,
  people: PersonIcon,
  file: FileTextIcon,
  upload: UploadIcon,
  download: DownloadIcon,
  answer: ChatBubbleIcon,
  renew: UpdateIcon,
  proof: LockClosedIcon,
}

export function Features() {
  return <Cards id="features" heading="what" {...FEATURES} />
}

/** What becomes of a reminder. */
export function Renewals() {
  return <Cards id="renewals" heading="after" {...RENEWALS} />
}

interface CardsProps {
  id: string
  heading: string
  title: string
  text: string
  cards: readonly CardProps[]
}

function Cards({ id, heading, title: heads, text: lead, cards }: CardsProps) {
  return (
    <section className="features" id={id} aria-labelledby={heading}>
      <h2 id={heading}>{heads}</h2>
      <p className="lead">{lead}</p>
      <ul className="cards">
        {cards.map(({ icon, title, text }) => (
          <Card key={icon} icon={icon} title={title} text={text} />
        ))}
      </ul>
    </section>
  )
}

interface CardProps {
  icon: keyof typeof ICONS
  title: string
  text: string
}

function Card({ icon, title, text }: CardProps) {
  const Icon = ICONS[icon]
  return (
    <li className="card">
      <span className="badge" aria-hidden>
        <Icon width={20} height={20} />
      </span>
      <h3>{title}</h3>
      <p>{text}</p>
    </li>
  )
}
