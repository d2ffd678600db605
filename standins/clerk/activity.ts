import type { SessionRow } from './session-store.ts'

// Most browsers also name those they descend from, so the first that fits is the one.
const BROWSERS = [
  ['Edge', /Edg\/([\d.]+)/],
  ['Firefox', /Firefox\/([\d.]+)/],
  ['Chrome', /Chrome\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari/],
] as const

const DEVICES = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Macintosh', /Macintosh/],
  ['Linux', /Linux/],
] as const

/** The device behind a session, as far as it says what it is. */
export function activityJson({ id, user_agent, ip_address }: SessionRow) {
  const [browser, pattern] = BROWSERS.find(([, each]) => each.test(user_agent)) ?? []
  return {
    object: 'session_activity',
    id: id.replace('sess_', 'sess_activity_'),
    browser_name: browser ?? null,
    browser_version: pattern?.exec(user_agent)?.[1] ?? null,
    device_type: DEVICES.find(([, each]) => each.test(user_agent))?.[0] ?? null,
    is_mobile: /Mobi/.test(user_agent),
    ip_address,
    city: null,
    country: null,
  }
}
