const KEY = 'traxx.signed-up'

/** The form that somebody has just signed up with said that payment comes next: it may open by itself, once. */
export function rememberSignUp(): void {
  sessionStorage.setItem(KEY, 'yes')
}

export function hasJustSignedUp(): boolean {
  return sessionStorage.getItem(KEY) !== null
}

export function forgetSignUp(): void {
  sessionStorage.removeItem(KEY)
}
