import { Logo } from '#client/ui/logo.tsx'
import { FOOTER, FOOTER_LINKS, SITE } from './content.ts'

export function SiteFooter() {
  return (
    <footer>
      <div className="inner">
        <div>
          <Logo height={16} />
          <p>{FOOTER.text}</p>
        </div>
        <nav aria-label="Footer">
          {FOOTER_LINKS.map(({ href, label }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
        <p className="rights">© {SITE.name}</p>
      </div>
    </footer>
  )
}
