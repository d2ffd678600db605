/**
 * Whether this browser is signed in, by the identity provider's own cookie: for where a link leads, and never for what
 * somebody may see. Unlike the session it is known without the provider's script.
 */
export function isSignedInHere(): boolean {
  return /(?:^|;\s*)__client_uat=[1-9]/.test(document.cookie)
}
