import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { render } from '@react-email/render'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { createElement as h, Fragment, type ReactNode } from 'react'
import { buttonOf, footerLinks, type Fact, type Letter, type LetterPart } from './letter.ts'
import { DARK_AND_NARROW, STYLES } from './letter-styles.ts'

/** A letter's HTML: readable without pictures, on the narrowest phone, and in dark mode. */
export async function renderLetter(subject: string, letter: Letter): Promise<string> {
  return render(
    h(
      Html,
      { lang: 'en' },
      h(
        Head,
        null,
        h('title', null, subject),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('style', null, DARK_AND_NARROW),
      ),
      h(Body, { className: 'page', style: STYLES.page }, h(Card, letter), h(Footer, letter)),
    ),
  )
}

function Card({ sender, logoUrl, parts }: Letter) {
  return h(
    Container,
    { className: 'card', style: STYLES.card },
    h(Section, { className: 'inside', style: STYLES.inside }, [
      // The name below says the same.
      logoUrl && h('img', { key: 'logo', src: logoUrl, alt: '', style: STYLES.logo }),
      h(Heading, { key: 'sender', as: 'h1', className: 'dim', style: STYLES.sender }, sender),
      ...parts.map((part, index) => h(Part, { key: index, part })),
    ]),
  )
}

function Part({ part }: { part: LetterPart }) {
  if ('text' in part) return h(Text, { style: STYLES.text }, ...lines(part.text))
  if ('facts' in part) return h(Facts, { facts: part.facts })
  const { label, url } = buttonOf(part)
  return h(Button, { href: url, className: 'button', style: STYLES.button }, label)
}

function Facts({ facts }: { facts: Fact[] }) {
  const rows = facts.map(([label, value], index) =>
    h(
      'tr',
      { key: index },
      h('td', { className: 'label dim', style: STYLES.label }, label),
      h('td', { className: 'value', style: STYLES.value }, value),
    ),
  )
  const table = h(
    'table',
    { role: 'presentation', width: '100%', cellPadding: 0, cellSpacing: 0 },
    h('tbody', null, rows),
  )
  return h(Section, { className: 'box', style: STYLES.box }, table)
}

function Footer(letter: Letter) {
  const { note, postalAddress } = letter
  return h(
    Container,
    { style: STYLES.footer },
    h(Hr, { className: 'line', style: STYLES.line }),
    h(Text, { className: 'dim', style: STYLES.note }, note),
    postalAddress && h(Text, { className: 'dim', style: STYLES.note }, ...lines(postalAddress)),
    ...footerLinks(letter).map(({ label, url }) =>
      h(Link, { key: url, href: url, className: 'dim', style: STYLES.footerLink }, label),
    ),
  )
}

function lines(text: string): ReactNode[] {
  return text.split('\n').map((line, index) => h(Fragment, { key: index }, index > 0 && h('br'), line))
}
