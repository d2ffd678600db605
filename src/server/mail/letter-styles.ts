import type { CSSProperties } from 'react'

const FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
// A long name or address without spaces must not make the letter wider than a phone.
const WRAPPED: CSSProperties = { overflowWrap: 'anywhere', wordBreak: 'break-word' }

/** Inline styles, for mail programs that ignore style sheets: light mode. */
export const STYLES = {
  page: { margin: 0, padding: '24px 12px', backgroundColor: '#f3f4f8', fontFamily: FONT, color: '#1d2230' },
  card: {
    maxWidth: '560px',
    backgroundColor: '#ffffff',
    border: '1px solid #dde1ea',
    borderTop: '4px solid #2f46dd',
    borderRadius: '8px',
    color: '#1d2230',
  },
  inside: { padding: '28px 32px 16px' },
  sender: { margin: '0 0 20px', fontSize: '15px', lineHeight: '22px', fontWeight: 600, color: '#535c70', ...WRAPPED },
  logo: { display: 'block', margin: '0 0 16px', height: 'auto', width: 'auto', maxHeight: '56px', maxWidth: '200px' },
  text: { margin: '0 0 16px', fontSize: '16px', lineHeight: '26px', ...WRAPPED },
  box: { margin: '8px 0 24px', padding: '10px 16px', backgroundColor: '#f3f5fb', borderRadius: '6px' },
  label: {
    width: '40%',
    padding: '5px 16px 5px 0',
    fontSize: '14px',
    lineHeight: '22px',
    color: '#535c70',
    verticalAlign: 'top',
  },
  value: { padding: '5px 0', fontSize: '15px', lineHeight: '22px', fontWeight: 600, verticalAlign: 'top', ...WRAPPED },
  button: {
    margin: '0 0 24px',
    padding: '12px 22px',
    backgroundColor: '#2f46dd',
    borderRadius: '6px',
    color: '#ffffff',
    fontSize: '15px',
    lineHeight: '22px',
    fontWeight: 600,
  },
  footer: { maxWidth: '560px', padding: '0 4px' },
  line: { margin: '24px 0 12px', borderTop: '1px solid #dde1ea' },
  note: { margin: '0 0 4px', fontSize: '13px', lineHeight: '20px', color: '#535c70', ...WRAPPED },
  footerLink: {
    marginRight: '16px',
    fontSize: '13px',
    lineHeight: '20px',
    color: '#535c70',
    textDecoration: 'underline',
  },
} satisfies Record<string, CSSProperties>

/** The style sheet, for the other mail programs. */
export const DARK_AND_NARROW = `
:root { color-scheme: light dark; }
@media (max-width: 480px) {
  .inside { padding: 20px 20px 8px !important; }
  .label, .value { display: block; width: auto !important; }
  .label { padding-bottom: 0 !important; }
  .value { padding-top: 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background-color: #101318 !important; }
  .page td { background-color: transparent !important; }
  .card { background-color: #1b2029 !important; border-color: #333b49 !important; border-top-color: #7d90fb !important; color: #e4e7ee !important; }
  .box { background-color: #262d39 !important; }
  .dim { color: #aab3c4 !important; }
  .line { border-top-color: #333b49 !important; }
}`
