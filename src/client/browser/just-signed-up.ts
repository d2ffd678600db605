const KEY = 'traxx.signed-up'

/** The sign-up form announced the payment page, so that page may open by itself, once. */
export function rememberSignUp(): void {
  sessionStorage.setItem(KEY, 'yes')
}

export function hasJustSignedUp(): boolean {
  return sessionStorage.getItem(KEY) !== null
}

export function forgetSignUp(): void {
  sessionStorage.removeItem(KEY)
}
