import { BarChartIcon, BellIcon, DownloadIcon, FileTextIcon, PersonIcon, UploadIcon } from '@radix-ui/react-icons'
import { FEATURES } from './content.ts'

const ICONS = {
  bell: BellIcon,
  chart: BarChartIcon,
  people: PersonIcon,
  file: FileTextIcon,
  upload: UploadIcon,
  download: DownloadIcon,
}

export function Features() {
  return (
    <section className="features" id="features" aria-labelledby="what">
      <h2 id="what">{FEATURES.title}</h2>
      <p className="lead">{FEATURES.text}</p>
      <ul className="cards">
        {FEATURES.cards.map(({ icon, title, text }) => (
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
