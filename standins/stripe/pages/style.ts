import { Html } from './html.ts'

/** One style for all hosted pages: no file to load, so nothing else has to be let through. */
export const STYLE = new Html(`
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f4f5f8; --ink: #1a1f36; --soft: #4f566b; --line: #c9cfd9; --field: #ffffff;
  --accent: #4b45d6; --accent-ink: #ffffff; --danger: #b3093c; --danger-ground: #fdecf0;
  --good: #0a6640; --good-ground: #e3f6ec; --note: #6b4700; --note-ground: #fff3d1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14161c; --panel: #1c1f28; --ink: #f0f2f7; --soft: #b4bccb; --line: #434a5b; --field: #1a1d25;
    --accent: #a5a3ff; --accent-ink: #14132e; --danger: #ff9db0; --danger-ground: #3b1620;
    --good: #7ee2ae; --good-ground: #12301f; --note: #f7d588; --note-ground: #352a0e;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
h1, h2, p, ul, dl, dd, table, fieldset { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1rem; margin-bottom: .75rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.columns { display: grid; grid-template-columns: 1fr 1fr; min-height: 100vh; }
.side { background: var(--panel); padding: 3rem 4rem 3rem 2rem; }
.main { padding: 3rem 2rem 3rem 4rem; }
.side > * { max-width: 26rem; margin-left: auto; }
.main > * { max-width: 26rem; }
.wide > * { max-width: 44rem; }
.columns.portal { grid-template-columns: minmax(16rem, 1fr) 2fr; }
.alone { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
.sheet { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem; }
.alone > * + *, .sheet > * + * { margin-top: 1rem; }
.mark { display: grid; place-items: center; width: 2rem; height: 2rem; border-radius: 8px; background: var(--accent); color: var(--accent-ink); letter-spacing: 0; }
.brand { display: flex; align-items: center; gap: .75rem; margin-bottom: 2rem; font-weight: 700; letter-spacing: .04em; }
.badge { display: inline-block; padding: .1rem .5rem; border-radius: 4px; font-size: .75rem; font-weight: 600; letter-spacing: .02em; background: var(--panel); color: var(--soft); white-space: nowrap; }
.badge.test { background: var(--note-ground); color: var(--note); }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--danger-ground); color: var(--danger); }
.back { display: inline-block; margin-bottom: 1.5rem; text-decoration: none; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.headline { font-size: 2.25rem; font-weight: 700; line-height: 1.2; padding: .25rem 0; }
.offer { font-size: 1rem; font-weight: 500; color: var(--soft); }
.rows { margin-top: 2rem; }
.rows > div { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-top: 1px solid var(--line); }
.rows > div:first-child { border-top: 0; }
.rows dd { text-align: right; }
.rows .total { font-weight: 700; }
.rows small { display: block; color: var(--soft); }
.field { margin-bottom: 1rem; }
label, .label { display: block; font-size: .875rem; font-weight: 500; margin-bottom: .25rem; }
input { width: 100%; padding: .65rem .75rem; font: inherit; color: var(--ink); background: var(--field); border: 1px solid var(--soft); border-radius: 6px; }
input::placeholder { color: var(--soft); opacity: .85; }
input[aria-invalid] { border-color: var(--danger); }
input[readonly] { background: var(--panel); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
.mistake { color: var(--danger); font-size: .875rem; margin-top: .25rem; }
.alert { padding: .75rem 1rem; border-radius: 6px; margin-bottom: 1.25rem; background: var(--danger-ground); color: var(--danger); }
.alert.good { background: var(--good-ground); color: var(--good); }
.notice { padding: .75rem 1rem; border-radius: 6px; margin: 1.25rem 0; background: var(--note-ground); color: var(--note); font-size: .875rem; }
.notice ul { list-style: none; margin-top: .25rem; }
.notice code { font: inherit; font-weight: 600; white-space: nowrap; }
button, .button { display: inline-block; padding: .6rem 1rem; font: inherit; font-weight: 600; text-decoration: none; text-align: center; border-radius: 6px; border: 1px solid var(--soft); background: transparent; color: var(--ink); cursor: pointer; }
button.main-action { border-color: var(--accent); background: var(--accent); color: var(--accent-ink); padding: .8rem 1rem; }
.full { width: 100%; }
.actions > * { display: flex; align-items: center; }
.actions button.main-action { padding: .6rem 1rem; }
button:hover, ..actions > * { display: flex; align-items: center; }
.actions button.main-action { padding: .6rem 1rem; }
button:hover { filter: brightness(1.08); text-decoration: underline; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; }
section { padding: 1.75rem 0; border-top: 1px solid var(--line); }
section:first-of-type { border-top: 0; padding-top: 0; }
.plan { font-size: 1.125rem; font-weight: 600; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
td.amount, th.amount { text-align: right; }
td.moment { white-space: nowrap; }
td button { padding: .25rem .6rem; font-size: .8125rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 52rem) {
  .columns, .columns.portal { grid-template-columns: 1fr; min-height: 0; }
  .side, .main { padding: 1.5rem; }
  .side > *, .main > *, .wide > * { max-width: 34rem; margin-inline: auto; }
  .brand { margin-bottom: 1.25rem; }
  .headline { font-size: 1.875rem; }
  .rows { margin-top: 1rem; }
  .alone { margin: 3rem auto; }
  .event-id { display: none; }
}
`)
